public import FoundationEssentials
import Glibc
import NIOCore
import NIOSSL
import PayrelayPrimitives
import Synchronization

/// A listener's certificate, which can be reloaded while connections are open. Open connections keep the old
/// certificate; the next handshake uses the new one.
public final class ListenerCertificate: Sendable {
    private struct Loaded {
        let configuration: TLSConfiguration
        /// The certificate of the chain that expires first, in DER.
        let firstToEnd: [UInt8]
        /// When that certificate expires.
        let notAfter: Date
    }

    private let files: TLSFiles
    private let loaded: Mutex<Loaded>

    /// - Throws: ``TLSFilesError`` if the files cannot be used.
    public init(_ files: TLSFiles) throws(TLSFilesError) {
        self.files = files
        loaded = Mutex(try Self.load(files))
    }

    /// Reads the files again. If they cannot be used, the certificate that was loaded before stays in use.
    ///
    /// - Throws: ``TLSFilesError`` if the files cannot be used.
    public func reload() throws(TLSFilesError) {
        let new = try Self.load(files)
        loaded.withLock { $0 = new }
    }

    /// When the first certificate of the chain expires.
    public var notAfter: Date { loaded.withLock { $0.notAfter } }

    /// The certificate of the chain that expires first, in DER.
    public var firstToEnd: [UInt8] { loaded.withLock { $0.firstToEnd } }

    /// The TLS configuration: TLS 1.2 or later, with the certificate that is loaded at the time of each
    /// handshake. HTTP/1.1 is the only protocol offered (ALPN).
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

    /// The cipher suites for TLS 1.2: those with forward secrecy and authenticated encryption (RFC 9325, 4.2).
    /// TLS 1.3 has only such suites.
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

/// Why a certificate or its key cannot be used.
public struct TLSFilesError: Error, Equatable, CustomStringConvertible {
    public let path: String
    public let reason: String

    public var description: String { "\(path): \(reason)" }
}

extension TLSFilesError {
    /// - Parameter reason: the problem if the file itself is readable.
    fileprivate init(unreadable path: String, _ reason: String) {
        self.init(path: path, reason: access(path, R_OK) == 0 ? reason : UnreadableFile(errno: errno).description)
    }
}

/// The paths of a listener's certificate and key.
public struct TLSFiles: Sendable, Equatable {
    /// The path of a PEM file with the certificate, followed by the intermediates that lead to its root.
    public var certificateFile: String
    /// The path of a PEM file with the unencrypted private key.
    public var keyFile: String

    public init(certificateFile: String, keyFile: String) {
        self.certificateFile = certificateFile
        self.keyFile = keyFile
    }
}
