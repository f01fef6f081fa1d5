import Crypto
import FoundationEssentials
import SwiftASN1
import X509

/// The certificates between a merchant and a sandbox of Apple's session host: the host's certificate, the
/// merchant identity certificate, and the root of both. The keys are new each time, so files from an earlier run
/// cannot be used.
public struct SessionPKI: Sendable {
    private let authority: X509.Certificate
    private let authorityKey: X509.Certificate.PrivateKey
    private let host: X509.Certificate
    private let hostKey: P256.Signing.PrivateKey
    private let merchant: X509.Certificate
    private let merchantKey: P256.Signing.PrivateKey

    /// - Parameter merchantIdentifier: the merchant that the identity certificate names.
    /// - Throws: the error of the cryptographic library.
    public init(merchantIdentifier: String) throws {
        try self.init(identity: .merchantIdentity(merchantIdentifier))
    }

    /// - Parameter template: the fields of the identity certificate.
    package init(identity template: CertificateTemplate) throws {
        authorityKey = X509.Certificate.PrivateKey(P256.Signing.PrivateKey())
        authority = try CertificateTemplate.sessionAuthority.issue(
            to: authorityKey.publicKey, by: CertificateTemplate.sessionAuthority.subject, with: authorityKey)
        (host, hostKey) = try Self.issue(.sessionHost, by: authority, with: authorityKey)
        (merchant, merchantKey) = try Self.issue(
            template, by: authority, with: authorityKey)
    }

    private static func issue(
        _ template: CertificateTemplate, by authority: X509.Certificate, with authorityKey: X509.Certificate.PrivateKey
    ) throws -> (X509.Certificate, P256.Signing.PrivateKey) {
        let key = P256.Signing.PrivateKey()
        let certificate = try template.issue(to: .init(key.publicKey), by: authority.subject, with: authorityKey)
        return (certificate, key)
    }

    /// The PKI's files, under the names that ``write(to:)`` uses.
    package enum File: String {
        case authority = "ca.pem"
        case host = "host.pem"
        case hostKey = "host.key"
        case merchant = "merchant.pem"
        case merchantKey = "merchant.key"
    }

    /// Returns the content of a file: a certificate, or a private key in PKCS#8.
    package func pem(_ file: File) throws -> String {
        switch file {
        case .authority: try authority.serializeAsPEM().pemString
        case .host: try host.serializeAsPEM().pemString
        case .hostKey: hostKey.pemRepresentation
        case .merchant: try merchant.serializeAsPEM().pemString
        case .merchantKey: merchantKey.pemRepresentation
        }
    }

    /// Writes the merchant's files into a folder: `ca.pem`, `merchant.pem` and `merchant.key`. A missing folder
    /// is created.
    ///
    /// - Throws: Foundation's error if the system does not allow it.
    public func write(to folder: String) throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        for file in [File.authority, .merchant, .merchantKey] {
            try pem(file).write(toFile: "\(folder)/\(file.rawValue)", atomically: true, encoding: .utf8)
        }
    }
}
