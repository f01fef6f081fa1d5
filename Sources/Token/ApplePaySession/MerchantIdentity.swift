public import FoundationEssentials
import OutboundHTTP
import PayrelayPrimitives
import SwiftASN1
import X509

/// A merchant identity certificate and its key, which authenticate the merchant to Apple's hosts.
public struct MerchantIdentity: Hashable, Sendable {
    /// The path of the file from which the certificate was read.
    public let certificateFile: String
    /// The certificate in DER.
    public let certificate: [UInt8]
    /// The merchant identifier for which the certificate was issued: the user ID in its subject.
    public let merchantIdentifier: String
    /// The moment from which the certificate is valid.
    public let notBefore: Date
    /// The moment at which the certificate expires.
    public let notAfter: Date
    /// The certificate and its key, in the form that a connection needs.
    let outbound: OutboundSettings.Identity

    /// - Parameters:
    ///   - chain: the certificate, followed by its intermediates from the same file.
    ///   - key: the certificate's private key in PEM.
    /// - Throws: ``MerchantIdentityError`` if the certificate does not name a merchant.
    init(
        chain: [X509.Certificate], fromFile certificateFile: String, key: PEMDocument
    ) throws(MerchantIdentityError) {
        // The caller has parsed these certificates, so this does not fail.
        guard let certificate = chain.first, let der = try? certificate.serializeAsPEM().derBytes,
            let texts = try? chain.map({ try $0.serializeAsPEM().pemString })
        else { throw .noCertificate(file: certificateFile) }
        guard let merchantIdentifier = certificate.subject.userID else {
            throw .noMerchantIdentifier(certificateFile: certificateFile)
        }
        self.certificateFile = certificateFile
        self.certificate = der
        self.merchantIdentifier = merchantIdentifier
        notBefore = certificate.notValidBefore
        notAfter = certificate.notValidAfter
        outbound = .init(certificate: texts.joined(separator: "\n"), key: Secret(key.pemString))
    }

    func isValid(at moment: Date) -> Bool { notBefore <= moment && moment < notAfter }
}

extension DistinguishedName {
    /// The user ID in the name (RFC 4519, 2.39); `nil` if there is none.
    fileprivate var userID: String? {
        joined().first { $0.type == [0, 9, 2342, 19_200_300, 100, 1, 1] }.flatMap { String($0.value) }
    }
}

/// The reason why files are not merchant identities.
public enum MerchantIdentityError: Error, Hashable, Sendable, CustomStringConvertible {
    case unreadable(file: String)
    case noCertificate(file: String)
    case noKey(file: String)
    /// The key belongs to another certificate.
    case otherKey(keyFile: String, certificateFile: String)
    /// One of the keys does not belong to any certificate.
    case unusedKey(keyFile: String)
    case noMerchantIdentifier(certificateFile: String)
    /// The certificate was issued for another merchant identifier than the others.
    case otherMerchant(certificateFile: String, merchantIdentifier: String)
    case tooMany(limit: Int)

    public var description: String {
        switch self {
        case .unreadable(let file): "\(file) cannot be read"
        case .noCertificate(let file): "\(file) holds no X.509 certificate in PEM or DER"
        case .noKey(let file): "\(file) holds no private key in PEM, or an encrypted one"
        case .otherKey(let keyFile, let certificateFile):
            "the key in \(keyFile) is not that of the certificate in \(certificateFile)"
        case .unusedKey(let keyFile): "a key in \(keyFile) is of none of the certificates"
        case .noMerchantIdentifier(let file):
            "the certificate in \(file) has no user ID in its subject: it is not a merchant identity certificate"
        case .otherMerchant(let file, let merchantIdentifier):
            "the certificate in \(file) was issued for \(merchantIdentifier), and not for the same merchant as the others"
        case .tooMany(let limit): "there are more than \(limit) merchant identity certificates"
        }
    }
}
