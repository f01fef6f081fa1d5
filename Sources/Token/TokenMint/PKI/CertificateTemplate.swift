package import FoundationEssentials
package import SwiftASN1
package import X509

/// Fields of a sandbox certificate, except its keys and issuer. Tests change a template to mint an attack.
package struct CertificateTemplate: Sendable {
    package var commonName: String
    package var organizationalUnit: String
    /// Stands first in the subject of certificates that name a merchant (RFC 4519, 2.39).
    package var userID: String?
    /// nil leaves the extension out, as Apple never does.
    package var basicConstraints: BasicConstraints? = .notCertificateAuthority
    /// nil leaves the extension out, as Apple never does.
    package var keyUsage: KeyUsage?
    package var extendedKeyUsage: ExtendedKeyUsage?
    /// The names that a CA may certify; nil for any.
    package var nameConstraints: NameConstraints?
    package var subjectAlternativeNames: SubjectAlternativeNames?
    /// Extensions beyond the standard ones: the object identifier and the value in DER.
    package var markers: [(ASN1ObjectIdentifier, [UInt8])] = []
    package var notBefore = Date(timeIntervalSince1970: 1_767_225_600)  // 2026-01-01
    package var notAfter = Date(timeIntervalSince1970: 2_556_144_000)  // 2051-01-01

    package var subject: DistinguishedName {
        get throws {
            // Apple's order, from the particular to the country.
            try DistinguishedName {
                if let userID { UserID(userID) }
                CommonName(commonName)
                OrganizationalUnitName(organizationalUnit)
                OrganizationName("payrelay sandbox")
                CountryName("AE")
            }
        }
    }

    /// A certificate for this key.
    ///
    /// - Parameters:
    ///   - issuer: the issuer's name and key.
    package func issue(
        to key: X509.Certificate.PublicKey, by issuer: DistinguishedName, with issuerKey: X509.Certificate.PrivateKey
    ) throws -> X509.Certificate {
        let authority = SubjectKeyIdentifier(hash: issuerKey.publicKey)
        let extensions = try X509.Certificate.Extensions {
            if let basicConstraints { Critical(basicConstraints) }
            AuthorityKeyIdentifier(keyIdentifier: authority.keyIdentifier)
            SubjectKeyIdentifier(hash: key)
            if let keyUsage { Critical(keyUsage) }
            if let extendedKeyUsage { extendedKeyUsage }
            if let nameConstraints { Critical(nameConstraints) }
            if let subjectAlternativeNames { subjectAlternativeNames }
            for (oid, value) in markers {
                X509.Certificate.Extension(oid: oid, critical: false, value: value[...])
            }
        }
        // Eight bytes as Apple's, the highest bit clear.
        let serialNumber = UInt64.random(in: 1...UInt64(Int64.max))
        return try X509.Certificate(
            version: .v3, serialNumber: .init(serialNumber), publicKey: key, notValidBefore: notBefore,
            notValidAfter: notAfter, issuer: issuer, subject: subject, signatureAlgorithm: .ecdsaWithSHA256,
            extensions: extensions, issuerPrivateKey: issuerKey)
    }
}

/// The user ID in a distinguished name (RFC 4519, 2.39). Apple writes the merchant identifier there.
struct UserID: RelativeDistinguishedNameConvertible {
    fileprivate static let type: ASN1ObjectIdentifier = [0, 9, 2342, 19_200_300, 100, 1, 1]

    private let text: String

    init(_ text: String) {
        self.text = text
    }

    func makeRDN() throws -> RelativeDistinguishedName {
        RelativeDistinguishedName(.init(type: Self.type, utf8String: text))
    }
}

/// Returns the merchant identifier in a merchant identity certificate.
///
/// - Parameter certificate: in DER.
/// - Returns: nil if it is absent or the certificate cannot be read.
package func merchantIdentifier(inCertificate certificate: [UInt8]) -> String? {
    guard let subject = try? X509.Certificate(derEncoded: certificate).subject else { return nil }
    return subject.joined().first { $0.type == UserID.type }.flatMap { String($0.value) }
}
