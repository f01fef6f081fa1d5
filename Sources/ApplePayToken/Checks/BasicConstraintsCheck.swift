/// Who may issue and who may not (RFC 5280, 4.2.1.9): the signer's certificate is no authority, its issuer is one.
///
/// OpenSSL's path validation minds the issuer and not the signer: an authority's certificate may sign messages there.
enum BasicConstraintsCheck {
    static func judge(_ path: SignerPath) throws(Refusal) -> Finding<Void> {
        guard !path.leaf.isAuthority else {
            throw Refusal("the signer's certificate (\(path.leaf.subject)) is an authority's")
        }
        guard path.issuer.isAuthority else {
            throw Refusal("the certificate of the signer's issuer (\(path.issuer.subject)) is not an authority's")
        }
        return Finding("the issuer is an authority, the signer is none")
    }
}
