/// Checks that the key in the signer's certificate made the signature over the signed attributes (RFC 5652, 5.4).
enum SignatureCheck {
    static func judge(_ signer: Signer, _ key: PublicKey) throws(CheckFailure) -> CheckResult<Void> {
        try key.verify(signer.signature, over: signer.signedBytes)
        return CheckResult("the signer's key signed the attributes")
    }
}
