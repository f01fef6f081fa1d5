import PayrelayPrimitives

/// Checks that the token was made for the order's payment request. Apple signs the SHA-256 of the request's
/// `applicationData`, and the system that created the request knows this hash (Apple's step 6).
enum ApplicationDataCheck {
    static func judge(_ applicationData: HexText?, expected: HexText) throws(CheckFailure) -> CheckResult<Void> {
        guard let applicationData else {
            throw CheckFailure("the token has no applicationData; the order asks for \(expected.text)")
        }
        guard applicationData.bytes == expected.bytes else {
            throw CheckFailure("applicationData is \(applicationData.text); the order asks for \(expected.text)")
        }
        return CheckResult("applicationData is \(expected.text), as the order asks")
    }
}
