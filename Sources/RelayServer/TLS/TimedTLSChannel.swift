import HummingbirdCore
import HummingbirdHTTP2
import Logging
import NIOCore
import NIOSSL

/// Connections over TLS with a time limit for what no other limit sees: the handshake, and HTTP/2 without a stream.
struct TimedTLSChannel: ServerChildChannel {
    let base: HTTP2UpgradeChannel
    let limits: ListenerLimits

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<HTTP2UpgradeChannel.Value> {
        base.setup(channel: channel, logger: logger).flatMapThrowing { [limits] value in
            let pipeline = channel.pipeline.syncOperations
            let tls = try pipeline.handler(type: NIOSSLServerHandler.self)
            try pipeline.addHandler(ConnectionTimeoutHandler(limits: limits), position: .after(tls))
            return value
        }
    }

    func handle(value: HTTP2UpgradeChannel.Value, logger: Logger) async {
        await base.handle(value: value, logger: logger)
    }
}
