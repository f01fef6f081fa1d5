import Crypto
public import FoundationEssentials
import PayrelayPrimitives
import SwiftASN1
import X509

/// A certificate authority of one developer. A phone trusts it, so that an app can reach a relay on the
/// developer's machine. Its key belongs to the developer. The authority can certify only private addresses, local
/// names and one host, so a stolen key is of no use against other sites.
public struct DevelopmentAuthority: Sendable {
    private let certificate: X509.Certificate
    private let key: P256.Signing.PrivateKey

    /// Creates an authority that is valid for ten years.
    ///
    /// - Parameter host: a name or an address that it may certify, in addition to those of private networks.
    /// - Throws: the error of the cryptographic library.
    public init(for host: String, at moment: Date) throws {
        key = P256.Signing.PrivateKey()
        // Phones show the name, so the authorities of two developers must have different names.
        let number = HexText(encoding: (0..<4).map { _ in UInt8.random(in: .min ... .max) }).text
        var template = CertificateTemplate(
            commonName: "payrelay dev CA \(number)", organizationalUnit: "payrelay dev",
            basicConstraints: .isCertificateAuthority(maxPathLength: 0),
            keyUsage: KeyUsage(keyCertSign: true, cRLSign: true))
        template.nameConstraints = PermittedNames.constraints(for: host)
        template.notBefore = moment.addingTimeInterval(-Self.clockSkew)
        template.notAfter = moment.addingTimeInterval(3_650 * 86_400)
        let signer = X509.Certificate.PrivateKey(key)
        certificate = try template.issue(to: signer.publicKey, by: template.subject, with: signer)
    }

    /// Reads an authority from PEM texts.
    ///
    /// - Throws: ``DevelopmentAuthorityError`` if the texts are not an authority and its key, or if the authority
    ///   has expired.
    public init(pem: String, keyPEM: String, at moment: Date) throws(DevelopmentAuthorityError) {
        guard let certificate = try? X509.Certificate(pemEncoded: pem) else { throw .noCertificate }
        guard let key = try? P256.Signing.PrivateKey(pemRepresentation: keyPEM) else { throw .noKey }
        guard certificate.publicKey == X509.Certificate.PublicKey(key.publicKey) else { throw .otherKey }
        guard case .isCertificateAuthority = try? certificate.extensions.basicConstraints else { throw .noAuthority }
        guard certificate.notValidAfter > moment else { throw .expired }
        self.certificate = certificate
        self.key = key
    }

    /// The certificate in PEM.
    public var pem: String { get throws { try certificate.serializeAsPEM().pemString } }
    /// The key in PEM (PKCS#8).
    public var keyPEM: String { key.pemRepresentation }
    public var der: [UInt8] { get throws { try certificate.der() } }
    /// The name that phones and browsers show.
    public var commonName: String {
        certificate.subject.joined().first { $0.type == .RDNAttributeType.commonName }.flatMap { String($0.value) }
            ?? ""
    }

    /// The SHA-256 of the certificate as phones and browsers show it: pairs of hex digits, separated by colons.
    public var fingerprint: String {
        get throws {
            SHA256.hash(data: try der).map { HexText(encoding: [$0]).text.uppercasedASCII }.joined(separator: ":")
        }
    }

    /// Issues a certificate for a host's TLS, with a new key, both in PEM. The certificate is valid for a little
    /// more than a year, because iOS rejects longer periods.
    ///
    /// - Throws: ``DevelopmentAuthorityError/notPermitted`` if this authority may not certify the host.
    public func issue(for host: String, at moment: Date) throws -> (certificatePEM: String, keyPEM: String) {
        guard PermittedNames.include(host, in: try certificate.extensions.nameConstraints) else {
            throw DevelopmentAuthorityError.notPermitted
        }
        var template = CertificateTemplate(
            commonName: "payrelay dev", organizationalUnit: "payrelay dev", keyUsage: KeyUsage(digitalSignature: true),
            subjectAlternativeNames: SubjectAlternativeNames([
                IPAddress(host).map { .ipAddress(ASN1OctetString(contentBytes: $0.bytes[...])) } ?? .dnsName(host)
            ]))
        template.extendedKeyUsage = try ExtendedKeyUsage([.serverAuth])
        template.notBefore = moment.addingTimeInterval(-Self.clockSkew)
        template.notAfter = min(moment.addingTimeInterval(397 * 86_400), certificate.notValidAfter)
        let leafKey = P256.Signing.PrivateKey()
        let leaf = try template.issue(
            to: .init(leafKey.publicKey), by: certificate.subject, with: X509.Certificate.PrivateKey(key))
        return (try leaf.serializeAsPEM().pemString, leafKey.pemRepresentation)
    }

    /// The time in seconds by which a phone's clock may be behind.
    private static let clockSkew = 3_600.0
}

/// The reason why a ``DevelopmentAuthority`` cannot be used.
public enum DevelopmentAuthorityError: Error, Equatable, Sendable, CustomStringConvertible {
    case noCertificate
    case noKey
    case otherKey
    case noAuthority
    case expired
    case notPermitted

    public var description: String {
        switch self {
        case .noCertificate: "there is no certificate in PEM"
        case .noKey: "there is no P-256 private key in PEM"
        case .otherKey: "the key is not that of the certificate"
        case .noAuthority: "the certificate is not that of an authority"
        case .expired: "the certificate has expired"
        case .notPermitted: "the authority was made for other hosts"
        }
    }
}
