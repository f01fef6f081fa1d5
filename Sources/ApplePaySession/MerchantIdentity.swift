public import FoundationEssentials
import SwiftASN1
import X509

/// The merchant identity certificate with its key: what Apple's hosts want to see before they open a session.
public struct MerchantIdentity: Hashable, Sendable {
    /// The path of a PEM file.
    public let certificateFile: String
    /// The path of a PEM file.
    public let keyFile: String
    /// The merchant identifier that the certificate was issued for: its subject's user ID.
    public let merchantIdentifier: String
    /// When the certificate ends.
    public let notAfter: Date

    /// Reads both files and checks that they belong together.
    ///
    /// - Throws: ``MerchantIdentityError``
    public init(certificateFile: String, keyFile: String) throws(MerchantIdentityError) {
        let certificate = try Self.certificate(inFile: certificateFile)
        guard try Self.privateKey(inFile: keyFile).publicKey == certificate.publicKey else {
            throw .otherKey(keyFile: keyFile, certificateFile: certificateFile)
        }
        guard let merchantIdentifier = certificate.subject.userID else {
            throw .noMerchantIdentifier(certificateFile: certificateFile)
        }
        self.certificateFile = certificateFile
        self.keyFile = keyFile
        self.merchantIdentifier = merchantIdentifier
        notAfter = certificate.notValidAfter
    }

    /// The first in the file, as for OpenSSL.
    private static func certificate(inFile path: String) throws(MerchantIdentityError) -> X509.Certificate {
        let documents = try pemDocuments(inFile: path)
        guard let document = documents.first(where: { $0.discriminator == "CERTIFICATE" }),
            let certificate = try? X509.Certificate(pemDocument: document)
        else { throw .noCertificate(file: path) }
        return certificate
    }

    private static func privateKey(inFile path: String) throws(MerchantIdentityError) -> X509.Certificate.PrivateKey {
        let documents = try pemDocuments(inFile: path)
        guard let document = documents.first(where: { $0.discriminator.hasSuffix("PRIVATE KEY") }),
            let key = try? X509.Certificate.PrivateKey(pemDocument: document)
        else { throw .noKey(file: path) }
        return key
    }

    private static func pemDocuments(inFile path: String) throws(MerchantIdentityError) -> [PEMDocument] {
        let text: String
        do {
            text = try String(contentsOfFile: path, encoding: .utf8)
        } catch {
            throw .unreadable(file: path)
        }
        return (try? PEMDocument.parseMultiple(pemString: text)) ?? []
    }
}

extension DistinguishedName {
    /// RFC 4519, 2.39.
    fileprivate var userID: String? {
        joined().first { $0.type == [0, 9, 2342, 19_200_300, 100, 1, 1] }.flatMap { String($0.value) }
    }
}

/// Why two files are not a merchant identity.
public enum MerchantIdentityError: Error, Hashable, Sendable, CustomStringConvertible {
    case unreadable(file: String)
    case noCertificate(file: String)
    case noKey(file: String)
    /// The key is another certificate's.
    case otherKey(keyFile: String, certificateFile: String)
    case noMerchantIdentifier(certificateFile: String)

    public var description: String {
        switch self {
        case .unreadable(let file): "\(file) cannot be read"
        case .noCertificate(let file): "\(file) holds no X.509 certificate in PEM"
        case .noKey(let file): "\(file) holds no private key in PEM, or an encrypted one"
        case .otherKey(let keyFile, let certificateFile):
            "the key in \(keyFile) is not that of the certificate in \(certificateFile)"
        case .noMerchantIdentifier(let file):
            "the certificate in \(file) has no user ID in its subject: it is no merchant identity certificate"
        }
    }
}
