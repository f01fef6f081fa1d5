import HummingbirdCore
import HummingbirdHTTP2
import Logging
import NIOCore
import NIOSSL

/// Connections over TLS whose handshakes have a time limit. Until it is done no other limit sees the client.
struct TimedTLSChannel: ServerChildChannel {
    let base: HTTP2UpgradeChannel
    let handshakeTimeout: TimeAmount

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<HTTP2UpgradeChannel.Value> {
        base.setup(channel: channel, logger: logger).flatMapThrowing { [handshakeTimeout] value in
            let pipeline = channel.pipeline.syncOperations
            let tls = try pipeline.handler(type: NIOSSLServerHandler.self)
            try pipeline.addHandler(HandshakeTimeoutHandler(limit: handshakeTimeout), position: .after(tls))
            return value
        }
    }

    func handle(value: HTTP2UpgradeChannel.Value, logger: Logger) async {
        await base.handle(value: value, logger: logger)
    }
}
