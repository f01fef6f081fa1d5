/// The token was made for the payment request that the order means: Apple signs the SHA-256 of the request's
/// `applicationData`, and whoever built the request knows it (Apple's step 6).
enum ApplicationDataCheck {
    static func judge(_ applicationData: HexText?, expected: HexText) throws(Refusal) -> Finding<Void> {
        guard let applicationData else {
            throw Refusal("the token has no applicationData; the order asks for \(expected.text)")
        }
        guard applicationData.bytes == expected.bytes else {
            throw Refusal("applicationData is \(applicationData.text); the order asks for \(expected.text)")
        }
        return Finding("applicationData is \(expected.text), as the order asks")
    }
}
