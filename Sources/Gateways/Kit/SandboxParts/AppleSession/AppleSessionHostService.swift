import FoundationEssentials
import HTTPListener
import HTTPTypes
import Hummingbird
import HummingbirdTLS
public import Logging
import NIOCore
import NIOSSL
import PayrelayPrimitives
public import ServiceLifecycle
public import TokenMint

/// Apple's session host over TLS, on loopback. A client without a certificate of the session PKI's root is
/// rejected before any byte of the request is read.
public struct AppleSessionHostService: Service {
    private let pki: SessionPKI
    private let port: Int
    private let logger: Logger
    private let onListening: @Sendable (Int) async -> Void

    /// - Parameters:
    ///   - port: the port; 0 for any free port.
    ///   - onListening: called with the port when connections are accepted.
    public init(
        _ pki: SessionPKI, port: Int, logger: Logger,
        onListening: @escaping @Sendable (Int) async -> Void = { _ in }
    ) {
        self.pki = pki
        self.port = port
        self.logger = logger
        self.onListening = onListening
    }

    /// Serves requests until the graceful shutdown of its service group.
    public func run() async throws {
        let host = AppleSessionHost(pki: .published)
        let router = Router(context: SessionHostContext.self)
        router.add(
            middleware: CrossSiteMiddleware(CrossSiteRule(hosts: AllowedHosts(), isTLS: true)) {
                Response(refusing: $0)
            })
        for path in ["/paymentservices/paymentSession", "/paymentservices/startSession"] as [RouterPath] {
            router.post(path) { request, context in
                let body = try await request.body.collect(upTo: 65_536)
                do {
                    let session = try host.session(
                        for: Array(body.readableBytesView), from: try await context.clientMerchantIdentifier(),
                        at: Date())
                    return Response(json: session, status: .ok)
                } catch let failure as AppleSessionHost.Failure {
                    return Response(json: failure.json, status: .init(code: failure.status))
                }
            }
        }
        let application = Application(
            responder: ExactPathResponder(router.buildResponder()),
            server: try .tls(
                .http1(configuration: .init(idleTimeout: .seconds(10))), tlsConfiguration: tlsConfiguration()),
            configuration: .init(address: .hostname("127.0.0.1", port: port)),
            onServerRunning: { [port, onListening] in await onListening($0.localAddress?.port ?? port) }, logger: logger
        )
        try await application.run(at: ListenerAddress(host: "127.0.0.1", port: port), stoppingWithin: .seconds(2))
    }

    /// Returns the configuration of Apple's host: TLS 1.2 or later, with a mandatory client certificate.
    private func tlsConfiguration() throws -> TLSConfiguration {
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: [.certificate(try certificate(.host))],
            privateKey: .privateKey(try NIOSSLPrivateKey(bytes: Array(pki.pem(.hostKey).utf8), format: .pem)))
        configuration.minimumTLSVersion = .tlsv12
        configuration.cipherSuiteValues = [
            .TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256, .TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256,
            .TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384, .TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384,
        ]
        configuration.certificateVerification = .noHostnameVerification
        configuration.trustRoots = .certificates([try certificate(.authority)])
        return configuration
    }

    private func certificate(_ file: SessionPKI.File) throws -> NIOSSLCertificate {
        try NIOSSLCertificate(bytes: Array(pki.pem(file).utf8), format: .pem)
    }
}

/// The context of a request. It provides the connection, and thereby the client's certificate.
private struct SessionHostContext: AddressedRequestContext {
    var coreContext: CoreRequestContextStorage
    private let channel: any Channel

    var localAddress: String? { channel.localAddress?.ipAddress }

    init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        channel = source.channel
    }

    func clientMerchantIdentifier() async throws -> String? {
        try await channel.nioSSL_peerCertificate().get().flatMap {
            merchantIdentifier(inCertificate: try $0.toDERBytes())
        }
    }
}

extension Response {
    fileprivate init(json: JSON, status: HTTPResponse.Status) {
        self.init(
            status: status, headers: [.contentType: "application/json"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: json.encoded())))
    }
}
