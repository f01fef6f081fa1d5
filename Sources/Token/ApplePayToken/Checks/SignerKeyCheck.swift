/// The signer's key is of the kind that the token's version asks for: an elliptic curve's for EC_v1, RSA for RSA_v1.
///
/// ``AlgorithmsCheck`` checks what the SignerInfo names, which is not signed; the certificate says what its key is.
enum SignerKeyCheck {
    static func judge(_ leaf: Certificate, version: PaymentToken.Version) throws(CheckFailure) -> CheckResult<Void> {
        let (oid, name) =
            switch version {
            case .ecV1: (CertificateIdentifiers.ecPublicKey, "an elliptic curve key")
            case .rsaV1: (CertificateIdentifiers.rsaEncryption, "an RSA key")
            }
        guard leaf.keyAlgorithm == oid else {
            throw CheckFailure(
                "the signer's key (\(leaf.keyAlgorithm)) is not \(name) (\(oid)), which \(version.rawValue) asks for")
        }
        return CheckResult("the signer has \(name)")
    }
}
