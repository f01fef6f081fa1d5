public import ApplePayToken
package import Crypto
import PayrelayPrimitives
import SwiftASN1
package import X509

/// Stands in for Apple's PKI and for one merchant. None of its keys is secret: trusting its root means trusting everyone.
public struct SandboxPKI: Sendable {
    package let root: X509.Certificate
    package let rootKey: P384.Signing.PrivateKey
    package let intermediate: X509.Certificate
    package let intermediateKey: P256.Signing.PrivateKey
    /// Signs tokens.
    package let leaf: X509.Certificate
    package let leafKey: P256.Signing.PrivateKey
    /// The merchant's payment processing certificate: tokens are encrypted for its key.
    package let merchant: X509.Certificate
    package let merchantKey: P256.KeyAgreement.PrivateKey

    /// The merchant identifier; its SHA-256 stands in the merchant's certificate.
    public let merchantIdentifier = "merchant.sandbox.payrelay"

    /// The root as a trust anchor.
    ///
    /// - Throws: the error of the ASN.1 library or ``PEMError``; never for a PKI that was generated here.
    public func anchor() throws -> TrustAnchor {
        try TrustAnchor(pem: try root.serializeAsPEM().pemString)
    }

    /// Opens a token that was encrypted for the sandbox merchant. Says nothing about who signed it.
    ///
    /// - Throws: ``TokenMintError``; the cryptographic library's error where the data was changed.
    public func open(_ token: PaymentToken) throws -> PaymentData {
        let hash = SHA256.hash(data: merchantKey.publicKey.derRepresentation)
        guard token.header.publicKeyHash.bytes.elementsEqual(hash) else {
            throw TokenMintError.anotherMerchantsToken
        }
        guard let ephemeralPublicKey = token.header.ephemeralPublicKey else { throw TokenMintError.notEllipticCurve }
        let plaintext = try PaymentDataCipher(merchantIdentifier: merchantIdentifier).decrypt(
            token.data.bytes, from: P256.KeyAgreement.PublicKey(derRepresentation: ephemeralPublicKey.bytes),
            with: merchantKey)
        guard let json = try? JSON(parsing: plaintext) else { throw TokenMintError.malformedPaymentData }
        return try PaymentData(json: json)
    }
}

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

extension SandboxPKI {
    /// Its files, by the names they have in `certs/sandbox/`.
    package enum File: String, CaseIterable, Sendable {
        case root = "root-ca"
        case rootKey = "root-ca-key"
        case intermediate
        case intermediateKey = "intermediate-key"
        case leaf
        case leafKey = "leaf-key"
        case merchant
        case merchantKey = "merchant-key"
    }

    /// The content of a file: a certificate, or a private key in PKCS#8.
    package func pem(_ file: File) throws -> String {
        switch file {
        case .root: try root.serializeAsPEM().pemString
        case .rootKey: rootKey.pemRepresentation
        case .intermediate: try intermediate.serializeAsPEM().pemString
        case .intermediateKey: intermediateKey.pemRepresentation
        case .leaf: try leaf.serializeAsPEM().pemString
        case .leafKey: leafKey.pemRepresentation
        case .merchant: try merchant.serializeAsPEM().pemString
        case .merchantKey: merchantKey.pemRepresentation
        }
    }

    /// Reads a PKI back from its files' contents.
    package init(pem: (File) -> String) throws {
        root = try X509.Certificate(pemEncoded: pem(.root))
        rootKey = try P384.Signing.PrivateKey(pemRepresentation: pem(.rootKey))
        intermediate = try X509.Certificate(pemEncoded: pem(.intermediate))
        intermediateKey = try P256.Signing.PrivateKey(pemRepresentation: pem(.intermediateKey))
        leaf = try X509.Certificate(pemEncoded: pem(.leaf))
        leafKey = try P256.Signing.PrivateKey(pemRepresentation: pem(.leafKey))
        merchant = try X509.Certificate(pemEncoded: pem(.merchant))
        merchantKey = try P256.KeyAgreement.PrivateKey(pemRepresentation: pem(.merchantKey))
    }
}

extension SandboxPKI {
    /// The one in `certs/sandbox/`, the same in every installation.
    public static let published: SandboxPKI = {
        do {
            return try SandboxPKI { publishedPEM[$0] ?? "" }
        } catch {
            // The texts are constants of this program, and a test reads them.
            preconditionFailure("the published sandbox PKI cannot be read: \(error)")
        }
    }()
}
