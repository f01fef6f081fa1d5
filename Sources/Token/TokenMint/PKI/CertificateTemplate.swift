package import FoundationEssentials
package import SwiftASN1
package import X509

/// The fields of a sandbox certificate, except its keys and issuer. Tests change a template to mint an attack.
package struct CertificateTemplate: Sendable {
    package var commonName: String
    package var organizationalUnit: String
    /// The merchant's user ID, which comes first in the subject (RFC 4519, 2.39); `nil` if the certificate names
    /// no merchant.
    package var userID: String?
    /// The basic constraints; `nil` leaves the extension out, which Apple never does.
    package var basicConstraints: BasicConstraints? = .notCertificateAuthority
    /// The key usage; `nil` leaves the extension out, which Apple never does.
    package var keyUsage: KeyUsage?
    package var extendedKeyUsage: ExtendedKeyUsage?
    /// The names that a CA may certify; `nil` for any name.
    package var nameConstraints: NameConstraints?
    package var subjectAlternativeNames: SubjectAlternativeNames?
    /// Other extensions than the standard ones: the object identifier and the value in DER.
    package var markers: [(ASN1ObjectIdentifier, [UInt8])] = []
    package var notBefore = Date(timeIntervalSince1970: 1_767_225_600)  // 2026-01-01
    package var notAfter = Date(timeIntervalSince1970: 2_556_144_000)  // 2051-01-01

    package var subject: DistinguishedName {
        get throws {
            // Apple's order, from the most specific name to the country.
            try DistinguishedName {
                if let userID { UserID(userID) }
                CommonName(commonName)
                OrganizationalUnitName(organizationalUnit)
                OrganizationName("payrelay sandbox")
                CountryName("AE")
            }
        }
    }

    /// Issues a certificate for this key.
    ///
    /// - Parameters:
    ///   - issuer: the issuer's name.
    ///   - issuerKey: the issuer's private key.
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
        // The serial number has eight bytes like Apple's, with the highest bit clear.
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
/// - Parameter certificate: the certificate in DER.
/// - Returns: `nil` if the identifier is absent, or if the certificate cannot be parsed.
package func merchantIdentifier(inCertificate certificate: [UInt8]) -> String? {
    guard let subject = try? X509.Certificate(derEncoded: certificate).subject else { return nil }
    return subject.joined().first { $0.type == UserID.type }.flatMap { String($0.value) }
}
