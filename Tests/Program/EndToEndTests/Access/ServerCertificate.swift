import Crypto
import Foundation
import SwiftASN1
import TestPrograms
import X509

/// A self-signed certificate and its key, in files.
struct ServerCertificate {
    let certificateFile: String
    let keyFile: String

    /// - Parameters:
    ///   - name: The name of the files, and the certificate's subject.
    ///   - address: The host's IPv4 address.
    init(
        _ name: String, in folder: TemporaryFolder, address: [UInt8] = [127, 0, 0, 1],
        validSince start: Date = Date() - 3_600, until end: Date = Date() + 86_400
    ) throws {
        let key = P256.Signing.PrivateKey()
        let subject = try DistinguishedName { CommonName(name) }
        let certificate = try Certificate(
            version: .v3, serialNumber: .init(), publicKey: .init(key.publicKey), notValidBefore: start,
            notValidAfter: end, issuer: subject, subject: subject, signatureAlgorithm: .ecdsaWithSHA256,
            extensions: try Certificate.Extensions {
                Critical(BasicConstraints.isCertificateAuthority(maxPathLength: nil))
                SubjectAlternativeNames([.ipAddress(ASN1OctetString(contentBytes: address[...]))])
            }, issuerPrivateKey: .init(key))
        certificateFile = try folder.file("\(name).pem", certificate.serializeAsPEM().pemString)
        keyFile = try folder.file("\(name)-key.pem", key.pemRepresentation)
    }
}
