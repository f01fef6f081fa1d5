/// The key in the signer's certificate must have made the signature over the signed attributes (RFC 5652, 5.4).
enum SignatureCheck {
    static func judge(_ message: some VerifiableMessage) throws(CheckFailure) -> CheckResult<Void> {
        try message.verifySignature()
        return CheckResult("the signer's key signed the attributes")
    }
}
