/// Checks the algorithms: SHA-256, and the signature algorithm that Apple's step 1.d requires for the token's
/// version: ecdsa-with-SHA256 for EC_v1, sha256WithRSAEncryption for RSA_v1.
///
/// The signature algorithm in the SignerInfo counts, not the one in the certificate: Apple's RSA leaf is itself
/// signed with ECDSA. If CMSAlgorithmProtection (RFC 6211) is present, it must name the same two algorithms.
enum AlgorithmsCheck {
    static func judge(
        _ signer: Signer, _ attributes: SignedAttributes, version: PaymentToken.Version
    ) throws(CheckFailure) -> CheckResult<Void> {
        let signature = version == .ecV1 ? AlgorithmIdentifier.ecdsaWithSHA256 : AlgorithmIdentifier.sha256WithRSA
        let name = version == .ecV1 ? "ecdsa-with-SHA256" : "sha256WithRSAEncryption"
        guard AlgorithmIdentifier.sha256.contains(signer.digestAlgorithm) else {
            throw CheckFailure("the digest algorithm is not SHA-256")
        }
        guard signature.contains(signer.signatureAlgorithm) else {
            throw CheckFailure("the signature algorithm is not \(name), which \(version.rawValue) asks for")
        }
        if let protection = attributes.algorithmProtection {
            let allowed = version == .ecV1 ? protectionOfECDSA : protectionOfRSA
            guard allowed.contains(where: protection.elementsEqual) else {
                throw CheckFailure("CMSAlgorithmProtection names other algorithms than the signer used")
            }
        }
        return CheckResult("SHA-256, \(name)")
    }

    private static let protectionOfECDSA = protections(of: AlgorithmIdentifier.ecdsaWithSHA256)
    private static let protectionOfRSA = protections(of: AlgorithmIdentifier.sha256WithRSA)

    /// Returns CMSAlgorithmProtection in every accepted encoding.
    private static func protections(of signature: [AlgorithmIdentifier]) -> [[UInt8]] {
        AlgorithmIdentifier.sha256.flatMap { digest in
            signature.map { DER.sequence(digest.der + [0xA1] + $0.der.dropFirst()) }
        }
    }
}
