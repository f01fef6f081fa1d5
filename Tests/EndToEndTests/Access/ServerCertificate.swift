import Crypto
import Foundation
import SwiftASN1
import X509

/// A certificate of its own for 127.0.0.1, in files.
struct ServerCertificate {
    let certificateFile: String
    let keyFile: String

    /// - Parameter name: of its files, and its subject.
    init(_ name: String, in folder: TemporaryFolder) throws {
        let key = P256.Signing.PrivateKey()
        let subject = try DistinguishedName { CommonName(name) }
        let certificate = try Certificate(
            version: .v3, serialNumber: .init(), publicKey: .init(key.publicKey), notValidBefore: Date() - 3_600,
            notValidAfter: Date() + 86_400, issuer: subject, subject: subject, signatureAlgorithm: .ecdsaWithSHA256,
            extensions: try Certificate.Extensions {
                Critical(BasicConstraints.isCertificateAuthority(maxPathLength: nil))
                SubjectAlternativeNames([.ipAddress(ASN1OctetString(contentBytes: [127, 0, 0, 1]))])
            }, issuerPrivateKey: .init(key))
        certificateFile = try folder.file("\(name).pem", certificate.serializeAsPEM().pemString)
        keyFile = try folder.file("\(name)-key.pem", key.pemRepresentation)
    }
}
