/// The key in the signer's certificate must have made the signature over the signed attributes (RFC 5652, 5.4).
enum SignatureCheck {
    static func judge(_ message: some VerifiableMessage) throws(Refusal) -> Finding<Void> {
        try message.verifySignature()
        return Finding("the signer's key signed the attributes")
    }
}
