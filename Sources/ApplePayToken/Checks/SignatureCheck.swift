/// The key in the signer's certificate must have made the signature over the signed attributes (RFC 5652, 5.4).
enum SignatureCheck {
    /// - Parameter answer: `CMS_verify`'s, which verifies the signature among the rest; nil where it was not asked.
    static func judge(_ message: OpenSSLMessage, _ answer: Result<Void, CheckFailure>?) throws(CheckFailure)
        -> CheckResult<
            Void
        >
    {
        if case .success? = answer {} else { try message.verifySignature() }
        return CheckResult("the signer's key signed the attributes")
    }
}
