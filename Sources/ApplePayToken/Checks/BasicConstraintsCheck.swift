/// Who may issue and who may not (RFC 5280, 4.2.1.9): the signer's certificate is no authority, its issuer is one.
///
/// OpenSSL's path validation minds the issuer and not the signer: an authority's certificate may sign messages there.
enum BasicConstraintsCheck {
    static func judge(_ path: SignerPath) throws(CheckFailure) -> CheckResult<Void> {
        guard !path.leaf.isCA else {
            throw CheckFailure("the signer's certificate (\(path.leaf.subject)) is an authority's")
        }
        guard path.issuer.isCA else {
            throw CheckFailure("the certificate of the signer's issuer (\(path.issuer.subject)) is not an authority's")
        }
        return CheckResult("the issuer is an authority, the signer is none")
    }
}
