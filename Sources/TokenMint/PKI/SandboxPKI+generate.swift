import Crypto
import X509

extension SandboxPKI {
    /// Makes a PKI with new keys.
    package static func generate(
        root: CertificateTemplate = .root, intermediate: CertificateTemplate = .intermediate,
        leaf: CertificateTemplate = .leaf
    ) throws -> SandboxPKI {
        try SandboxPKI(
            root: root, rootKey: P384.Signing.PrivateKey(), intermediate: intermediate,
            intermediateKey: P256.Signing.PrivateKey(), leaf: leaf, leafKey: P256.Signing.PrivateKey(),
            merchantKey: P256.KeyAgreement.PrivateKey())
    }

    private init(
        root: CertificateTemplate, rootKey: P384.Signing.PrivateKey, intermediate: CertificateTemplate,
        intermediateKey: P256.Signing.PrivateKey, leaf: CertificateTemplate, leafKey: P256.Signing.PrivateKey,
        merchantKey: P256.KeyAgreement.PrivateKey
    ) throws {
        self.rootKey = rootKey
        self.intermediateKey = intermediateKey
        self.leafKey = leafKey
        self.merchantKey = merchantKey
        let rootSigner = X509.Certificate.PrivateKey(rootKey)
        let intermediateSigner = X509.Certificate.PrivateKey(intermediateKey)
        self.root = try root.issue(to: rootSigner.publicKey, by: root.subject, with: rootSigner)
        self.intermediate = try intermediate.issue(
            to: intermediateSigner.publicKey, by: root.subject, with: rootSigner)
        self.leaf = try leaf.issue(
            to: .init(leafKey.publicKey), by: intermediate.subject, with: intermediateSigner)
        let merchantPublicKey = try P256.Signing.PublicKey(x963Representation: merchantKey.publicKey.x963Representation)
        merchant = try CertificateTemplate.merchant(identifier: merchantIdentifier).issue(
            to: .init(merchantPublicKey), by: intermediate.subject, with: intermediateSigner)
    }
}
