/// Checks that the signer's certificate allows digitalSignature, and the intermediate keyCertSign (RFC 5280,
/// 4.2.1.3).
///
/// OpenSSL's path validation also accepts a certificate with only nonRepudiation, and one without the extension.
enum KeyUsageCheck {
    static func judge(_ path: SignerPath) throws(CheckFailure) -> CheckResult<Void> {
        guard let leaf = path.leaf.keyUsage, leaf.contains(.digitalSignature) else {
            throw CheckFailure("the signer's certificate (\(path.leaf.subject)) is not for digitalSignature")
        }
        guard let intermediate = path.intermediate.keyUsage, intermediate.contains(.keyCertSign) else {
            throw CheckFailure(
                "the certificate of the signer's issuer (\(path.intermediate.subject)) is not for keyCertSign")
        }
        return CheckResult("the signer's key is for digitalSignature, its issuer's for keyCertSign")
    }
}
