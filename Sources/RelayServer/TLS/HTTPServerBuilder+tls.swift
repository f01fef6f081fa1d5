import HummingbirdCore
import HummingbirdHTTP2

extension HTTPServerBuilder {
    /// HTTP/1.1 or HTTP/2, as the client chooses during the handshake (ALPN).
    static func tls(_ certificate: ListenerCertificate, http1: HTTP1Channel.Configuration) throws -> HTTPServerBuilder {
        try .http2Upgrade(
            tlsConfiguration: certificate.configuration,
            configuration: .init(
                idleTimeout: .seconds(60), gracefulCloseTimeout: .seconds(10), streamConfiguration: http1))
    }
}
