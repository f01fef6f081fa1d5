public import FoundationEssentials
import PayrelayPrimitives
import SwiftASN1
import Synchronization
import X509

/// The merchant's identities: one, or the old and the new one during a renewal. They can be read from their files
/// again.
public final class MerchantIdentities: Sendable {
    /// The maximum number of identities.
    public static let limit = 8

    private let certificateFiles: [String]
    private let keyFiles: [String]
    private let present: Mutex<[MerchantIdentity]>

    /// Reads the files and checks that certificates and keys belong together:
    /// - The first certificate of a file has its key among the keys.
    /// - A further certificate in the file is an identity if it has its key among the keys. Otherwise it is an
    ///   intermediate of the identity before it.
    /// - Each key has its certificate.
    ///
    /// - Parameters:
    ///   - certificateFiles: the paths of files with certificates in PEM, or one in DER.
    ///   - keyFiles: the paths of files with private keys in PEM.
    /// - Throws: ``MerchantIdentityError``
    public init(certificateFiles: [String], keyFiles: [String]) throws(MerchantIdentityError) {
        self.certificateFiles = certificateFiles
        self.keyFiles = keyFiles
        present = Mutex(try Self.read(certificateFiles, keyFiles))
    }

    public convenience init(certificateFile: String, keyFile: String) throws(MerchantIdentityError) {
        try self.init(certificateFiles: [certificateFile], keyFiles: [keyFile])
    }

    /// The identities, at least one. All belong to one merchant.
    public var all: [MerchantIdentity] { present.withLock { $0 } }

    /// The merchant identifier for which the identities were issued.
    public var merchantIdentifier: String { present.withLock { $0[0].merchantIdentifier } }

    /// Returns the identity to use with Apple. It is the newest of the identities that are valid at the moment.
    /// So the old identity is used until the new one becomes valid, and again if the new one expires first. If
    /// none is valid, it is the identity that expires last.
    public func inUse(at moment: Date) -> MerchantIdentity {
        let all = all
        let valid = all.filter { $0.isValid(at: moment) }
        let newest = valid.max { ($0.notBefore, $0.notAfter) < ($1.notBefore, $1.notAfter) }
        // Safe: `all` is never empty.
        return newest ?? all.max { $0.notAfter < $1.notAfter } ?? all[0]
    }

    /// Reads the files again. If anything is wrong with them, the present identities stay in use.
    ///
    /// - Throws: ``MerchantIdentityError``
    public func reload() throws(MerchantIdentityError) {
        let new = try Self.read(certificateFiles, keyFiles)
        let merchant = merchantIdentifier
        for identity in new where identity.merchantIdentifier != merchant {
            throw .otherMerchant(
                certificateFile: identity.certificateFile, merchantIdentifier: identity.merchantIdentifier)
        }
        present.withLock { $0 = new }
    }

    private struct Key {
        let file: String
        let document: PEMDocument
        let publicKey: X509.Certificate.PublicKey
    }

    private static func read(
        _ certificateFiles: [String], _ keyFiles: [String]
    ) throws(MerchantIdentityError) -> [MerchantIdentity] {
        var files: [(path: String, certificates: [X509.Certificate])] = []
        for path in certificateFiles { files.append((path, try certificates(inFile: path))) }
        var keys: [Key] = []
        for path in keyFiles { keys += try Self.keys(inFile: path) }

        var identities: [MerchantIdentity] = []
        var used: Set<X509.Certificate.PublicKey> = []
        for (path, certificates) in files {
            var rest = certificates[...]
            while let certificate = rest.popFirst() {
                guard let key = keys.first(where: { $0.publicKey == certificate.publicKey }) else {
                    throw .otherKey(keyFile: keyFiles.joined(separator: ", "), certificateFile: path)
                }
                used.insert(key.publicKey)
                let intermediates = rest.prefix { other in !keys.contains { $0.publicKey == other.publicKey } }
                rest = rest.dropFirst(intermediates.count)
                let identity = try MerchantIdentity(
                    chain: [certificate] + intermediates, fromFile: path, key: key.document)
                guard identities.first.map({ $0.merchantIdentifier == identity.merchantIdentifier }) ?? true else {
                    throw .otherMerchant(certificateFile: path, merchantIdentifier: identity.merchantIdentifier)
                }
                // A path may be configured twice.
                if !identities.contains(where: { $0.certificate == identity.certificate }) {
                    identities.append(identity)
                }
            }
        }
        if let unused = keys.first(where: { !used.contains($0.publicKey) }) { throw .unusedKey(keyFile: unused.file) }
        guard !identities.isEmpty else { throw .noCertificate(file: certificateFiles.joined(separator: ", ")) }
        guard identities.count <= limit else { throw .tooMany(limit: limit) }
        return identities
    }

    /// Returns the certificates in a file, at least one.
    private static func certificates(inFile path: String) throws(MerchantIdentityError) -> [X509.Certificate] {
        let content = try content(ofFile: path)
        let documents = pemDocuments(content).filter { $0.discriminator == "CERTIFICATE" }
        let certificates =
            documents.isEmpty
            ? try? [X509.Certificate(derEncoded: content)]
            : try? documents.map { try X509.Certificate(pemDocument: $0) }
        guard let certificates else { throw .noCertificate(file: path) }
        return certificates
    }

    /// Returns the private keys in a file, at least one.
    private static func keys(inFile path: String) throws(MerchantIdentityError) -> [Key] {
        let documents = pemDocuments(try content(ofFile: path)).filter { $0.discriminator.ends(with: "PRIVATE KEY") }
        let keys = try? documents.map { document in
            let key = try X509.Certificate.PrivateKey(pemDocument: document)
            return Key(file: path, document: document, publicKey: key.publicKey)
        }
        guard let keys, !keys.isEmpty else { throw .noKey(file: path) }
        return keys
    }

    private static func pemDocuments(_ content: [UInt8]) -> [PEMDocument] {
        (try? PEMDocument.parseMultiple(pemString: String(decoding: content, as: UTF8.self))) ?? []
    }

    /// The maximum size of a file in bytes, far more than eight chains with their keys need.
    private static let fileLimit = 1 << 20

    private static func content(ofFile path: String) throws(MerchantIdentityError) -> [UInt8] {
        guard let content = try? Data(contentsOf: URL(filePath: path)), content.count <= fileLimit else {
            throw .unreadable(file: path)
        }
        return Array(content)
    }
}
