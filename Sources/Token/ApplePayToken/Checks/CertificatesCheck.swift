/// Checks that the message contains the certificate that issued the signer's. The issuer is found by name and
/// key. The order of the certificates does not matter, because an attacker can choose it.
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
