/// Checks that the signer's key has the kind that the token's version requires: an elliptic curve key for EC_v1,
/// an RSA key for RSA_v1.
///
/// ``AlgorithmsCheck`` checks the algorithms in the SignerInfo, which is not signed. The certificate says what
/// kind of key it has.
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
