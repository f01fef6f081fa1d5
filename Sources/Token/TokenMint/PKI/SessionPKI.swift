import Crypto
import FoundationEssentials
import SwiftASN1
import X509

/// Stands in for what connects a merchant with Apple's session host: the host's certificate, the merchant's identity
/// certificate, and the root of both. New keys each time: what was written yesterday opens nothing today.
public struct SessionPKI: Sendable {
    private let authority: X509.Certificate
    private let authorityKey: X509.Certificate.PrivateKey
    private let host: X509.Certificate
    private let hostKey: P256.Signing.PrivateKey
    private let merchant: X509.Certificate
    private let merchantKey: P256.Signing.PrivateKey

    /// - Parameter merchantIdentifier: whom the identity certificate names.
    /// - Throws: the error of the cryptographic library.
    public init(merchantIdentifier: String) throws {
        try self.init(identity: .merchantIdentity(merchantIdentifier))
    }

    /// - Parameter template: what the identity certificate says.
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

    /// Its files, by the names that ``write(to:)`` gives them.
    package enum File: String {
        case authority = "ca.pem"
        case host = "host.pem"
        case hostKey = "host.key"
        case merchant = "merchant.pem"
        case merchantKey = "merchant.key"
    }

    /// A certificate, or a private key in PKCS#8.
    package func pem(_ file: File) throws -> String {
        switch file {
        case .authority: try authority.serializeAsPEM().pemString
        case .host: try host.serializeAsPEM().pemString
        case .hostKey: hostKey.pemRepresentation
        case .merchant: try merchant.serializeAsPEM().pemString
        case .merchantKey: merchantKey.pemRepresentation
        }
    }

    /// Writes what a merchant needs into a folder, which is made where it is missing: `ca.pem`, `merchant.pem` and
    /// `merchant.key`.
    ///
    /// - Throws: Foundation's error where the system does not allow that.
    public func write(to folder: String) throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        for file in [File.authority, .merchant, .merchantKey] {
            try pem(file).write(toFile: "\(folder)/\(file.rawValue)", atomically: true, encoding: .utf8)
        }
    }
}
