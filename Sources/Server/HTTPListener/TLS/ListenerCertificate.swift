public import FoundationEssentials
import Glibc
import NIOCore
import NIOSSL
import PayrelayPrimitives
import Synchronization

/// A listener's certificate. It can be reloaded while connections are open: they keep the old one, and the next handshake uses the
/// new one.
public final class ListenerCertificate: Sendable {
    private struct Loaded {
        let configuration: TLSConfiguration
        /// Of its certificates, the first to end, in DER.
        let firstToEnd: [UInt8]
        /// When it ends.
        let notAfter: Date
    }

    private let files: TLSFiles
    private let loaded: Mutex<Loaded>

    /// - Throws: ``TLSFilesError``.
    public init(_ files: TLSFiles) throws(TLSFilesError) {
        self.files = files
        loaded = Mutex(try Self.load(files))
    }

    /// Reads the files again; what was read before stays where they cannot be used.
    ///
    /// - Throws: ``TLSFilesError``.
    public func reload() throws(TLSFilesError) {
        let new = try Self.load(files)
        loaded.withLock { $0 = new }
    }

    /// When the certificate or one of its intermediates expires.
    public var notAfter: Date { loaded.withLock { $0.notAfter } }

    /// Of the certificate and its intermediates, the first to end, in DER.
    public var firstToEnd: [UInt8] { loaded.withLock { $0.firstToEnd } }

    /// TLS 1.2 or later, with what is loaded at the time of each handshake. The only protocol that a client can choose (ALPN) is
    /// HTTP/1.1.
    var configuration: TLSConfiguration {
        var configuration = loaded.withLock { $0.configuration }
        configuration.applicationProtocols = ["http/1.1"]
        configuration.sslContextCallback = { [self] _, promise in
            let present = loaded.withLock { $0.configuration }
            var override = NIOSSLContextConfigurationOverride()
            override.certificateChain = present.certificateChain
            override.privateKey = present.privateKey
            promise.succeed(override)
        }
        return configuration
    }

    /// For TLS 1.2: those with forward secrecy that authenticate what they encrypt (RFC 9325, 4.2). TLS 1.3 has no others.
    private static let cipherSuites: [NIOTLSCipher] = [
        .TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256, .TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256,
        .TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384, .TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384,
        .TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256, .TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256,
    ]

    private static func load(_ files: TLSFiles) throws(TLSFilesError) -> Loaded {
        let chain: [NIOSSLCertificate]
        do {
            chain = try NIOSSLCertificate.fromPEMFile(files.certificateFile)
        } catch {
            throw TLSFilesError(unreadable: files.certificateFile, "no certificate in PEM can be read from it")
        }
        let key: NIOSSLPrivateKey
        do {
            key = try NIOSSLPrivateKey(file: files.keyFile, format: .pem)
        } catch {
            throw TLSFilesError(unreadable: files.keyFile, "no private key in PEM can be read from it")
        }
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(key))
        configuration.minimumTLSVersion = .tlsv12
        configuration.cipherSuiteValues = Self.cipherSuites
        do {
            _ = try NIOSSLContext(configuration: configuration)
        } catch {
            throw TLSFilesError(path: files.keyFile, reason: "it is not the key of \(files.certificateFile)")
        }
        let first = chain.min { $0.notValidAfter < $1.notValidAfter }
        guard let first, let der = try? first.toDERBytes() else {
            throw TLSFilesError(path: files.certificateFile, reason: "no certificate in PEM can be read from it")
        }
        return Loaded(
            configuration: configuration, firstToEnd: der,
            notAfter: Date(timeIntervalSince1970: TimeInterval(first.notValidAfter)))
    }
}

/// Why a certificate and a key cannot be used.
public struct TLSFilesError: Error, Equatable, CustomStringConvertible {
    public let path: String
    public let reason: String

    public var description: String { "\(path): \(reason)" }
}

extension TLSFilesError {
    /// - Parameter reason: of a file that can be read.
    fileprivate init(unreadable path: String, _ reason: String) {
        self.init(path: path, reason: access(path, R_OK) == 0 ? reason : UnreadableFile(errno: errno).description)
    }
}

/// Where a listener's certificate and key are.
public struct TLSFiles: Sendable, Equatable {
    /// The path of a PEM file: the certificate, then the intermediates that lead to its root.
    public var certificateFile: String
    /// The path of a PEM file: the private key, not encrypted.
    public var keyFile: String

    public init(certificateFile: String, keyFile: String) {
        self.certificateFile = certificateFile
        self.keyFile = keyFile
    }
}
