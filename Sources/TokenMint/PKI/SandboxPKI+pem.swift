import Crypto
import SwiftASN1
import X509

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
