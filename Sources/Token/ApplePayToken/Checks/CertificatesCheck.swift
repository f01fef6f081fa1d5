/// The certificate that issued the signer's must be in the message. It is found by name and key: an attacker chooses
/// the order in which certificates stand, so their places mean nothing.
enum CertificatesCheck {
    static func judge(_ certificates: any MessageCertificates, _ leaf: Certificate) throws(CheckFailure) -> CheckResult<
        SignerPath
    > {
        guard let intermediate = try certificates.intermediate(issuing: leaf) else {
            throw CheckFailure(
                "none of the \(certificates.all.count) certificates in the message issued the signer's")
        }
        return CheckResult(
            SignerPath(leaf: leaf, intermediate: intermediate),
            "the signer's certificate was issued by \(intermediate.subject)")
    }
}
