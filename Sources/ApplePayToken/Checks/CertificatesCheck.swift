/// The signer's certificate and the one that issued it.
struct SignerPath {
    let leaf: Certificate
    let issuer: Certificate
}

/// The certificate that issued the signer's must be in the message. It is found by name and key: an attacker chooses
/// the order in which certificates stand, so their places mean nothing.
enum CertificatesCheck {
    static func judge(_ message: some VerifiableMessage, _ leaf: Certificate) throws(CheckFailure) -> CheckResult<
        SignerPath
    > {
        guard let issuer = try message.issuer(of: leaf) else {
            throw CheckFailure(
                "none of the \(message.contents.certificates.count) certificates in the message issued the signer's")
        }
        return CheckResult(
            SignerPath(leaf: leaf, issuer: issuer), "the signer's certificate was issued by \(issuer.subject)")
    }
}
