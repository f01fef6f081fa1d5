public import FoundationEssentials
import PayrelayPrimitives
import SwiftASN1
import Synchronization
import X509

/// The merchant's identities: one, or during a renewal the old and the new. They can be read again from their files.
public final class MerchantIdentities: Sendable {
    /// How many there may be.
    public static let limit = 8

    private let certificateFiles: [String]
    private let keyFiles: [String]
    private let present: Mutex<[MerchantIdentity]>

    /// Reads the files and checks that they belong together: each file's first certificate has its key among the keys, and so
    /// has every further one that is an identity; certificates without a key are intermediates of the one before them. Each
    /// key has its certificate.
    ///
    /// - Parameters:
    ///   - certificateFiles: paths of files with certificates in PEM, or one in DER.
    ///   - keyFiles: paths of files with private keys in PEM.
    /// - Throws: ``MerchantIdentityError``
    public init(certificateFiles: [String], keyFiles: [String]) throws(MerchantIdentityError) {
        self.certificateFiles = certificateFiles
        self.keyFiles = keyFiles
        present = Mutex(try Self.read(certificateFiles, keyFiles))
    }

    public convenience init(certificateFile: String, keyFile: String) throws(MerchantIdentityError) {
        try self.init(certificateFiles: [certificateFile], keyFiles: [keyFile])
    }

    /// Never empty; all of one merchant.
    public var all: [MerchantIdentity] { present.withLock { $0 } }

    /// The merchant identifier that they were issued for.
    public var merchantIdentifier: String { present.withLock { $0[0].merchantIdentifier } }

    /// The one to show to Apple: of those that are valid at the moment the newest, so that the old one is shown until the new
    /// one's time begins, and again should the new one end first. Where none is valid, the last to end.
    public func inUse(at moment: Date) -> MerchantIdentity {
        let all = all
        let valid = all.filter { $0.isValid(at: moment) }
        let newest = valid.max { ($0.notBefore, $0.notAfter) < ($1.notBefore, $1.notAfter) }
        // Safe: never empty.
        return newest ?? all.max { $0.notAfter < $1.notAfter } ?? all[0]
    }

    /// Reads the files again; what was read before stays where anything is wrong with them.
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
                // The same file may be named twice.
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

    /// At least one.
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

    /// At least one.
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

    /// Far longer than eight chains with their keys.
    private static let fileLimit = 1 << 20

    private static func content(ofFile path: String) throws(MerchantIdentityError) -> [UInt8] {
        guard let content = try? Data(contentsOf: URL(filePath: path)), content.count <= fileLimit else {
            throw .unreadable(file: path)
        }
        return Array(content)
    }
}
