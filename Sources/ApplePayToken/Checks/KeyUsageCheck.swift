/// What the keys are for (RFC 5280, 4.2.1.3): the signer's says digitalSignature, its issuer's keyCertSign.
///
/// OpenSSL's path validation is content with nonRepudiation alone, and with a certificate that does not say.
enum KeyUsageCheck {
    static func judge(_ path: SignerPath) throws(CheckFailure) -> CheckResult<Void> {
        guard let leaf = path.leaf.keyUsage, leaf.contains(.digitalSignature) else {
            throw CheckFailure("the signer's certificate (\(path.leaf.subject)) is not for digitalSignature")
        }
        guard let issuer = path.issuer.keyUsage, issuer.contains(.keyCertSign) else {
            throw CheckFailure("the certificate of the signer's issuer (\(path.issuer.subject)) is not for keyCertSign")
        }
        return CheckResult("the signer's key is for digitalSignature, its issuer's for keyCertSign")
    }
}
