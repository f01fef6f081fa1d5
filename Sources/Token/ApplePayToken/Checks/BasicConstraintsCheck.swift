/// Checks that the intermediate is a CA's certificate, and that the signer's certificate is not (RFC 5280,
/// 4.2.1.9).
///
/// OpenSSL's path validation checks only the intermediate: it allows a CA's certificate to sign messages.
enum BasicConstraintsCheck {
    static func judge(_ path: SignerPath) throws(CheckFailure) -> CheckResult<Void> {
        guard !path.leaf.isCA else {
            throw CheckFailure("the signer's certificate (\(path.leaf.subject)) is an authority's")
        }
        guard path.intermediate.isCA else {
            throw CheckFailure(
                "the certificate of the signer's issuer (\(path.intermediate.subject)) is not an authority's")
        }
        return CheckResult("the issuer is an authority, the signer is none")
    }
}
