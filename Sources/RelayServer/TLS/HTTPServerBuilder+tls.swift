import HummingbirdCore
import HummingbirdHTTP2
import NIOCore

extension HTTPServerBuilder {
    /// HTTP/1.1 or HTTP/2, as the client chooses during the handshake (ALPN), within limits.
    static func tls(_ certificate: ListenerCertificate, _ capacity: ListenerCapacity) -> HTTPServerBuilder {
        HTTPServerBuilder { responder in
            let limits = capacity.limits
            let channel = try HTTP2UpgradeChannel(
                tlsConfiguration: certificate.configuration,
                configuration: .init(
                    idleTimeout: limits.idleTimeout, gracefulCloseTimeout: .seconds(10),
                    streamConfiguration: HTTP1Channel.Configuration(capacity)),
                responder: responder)
            return CountedChannel(base: TimedTLSChannel(base: channel, limits: limits), capacity: capacity)
        }
    }
}
