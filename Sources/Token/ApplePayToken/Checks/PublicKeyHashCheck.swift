import PayrelayPrimitives

/// Checks that the token was encrypted for one of the merchant's payment processing certificates.
///
/// `publicKeyHash` is not signed, so this check proves nothing about the sender. It finds a mistake that costs
/// merchants days: FORT answers a token that it cannot decrypt with an unspecific `00099`.
enum PublicKeyHashCheck {
    static func isKnown(_ hash: Base64Text, among certificates: [ProcessingCertificate]) -> Bool {
        certificates.contains { $0.publicKeyHash.bytes == hash.bytes }
    }

    static func judge(_ hash: Base64Text, among certificates: [ProcessingCertificate]) throws(CheckFailure)
        -> CheckResult<Void>
    {
        guard let certificate = certificates.first(where: { $0.publicKeyHash.bytes == hash.bytes }) else {
            let known = certificates.map(\.publicKeyHash.text).joined(separator: ", ")
            throw CheckFailure(
                "publicKeyHash \(hash.text) is not of the configured payment processing certificates (\(known)): the "
                    + "token was encrypted for another certificate, which FORT answers with an unexplained 00099")
        }
        return CheckResult("encrypted for \(certificate.subject)")
    }
}
