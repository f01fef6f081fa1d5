import HummingbirdCore
import Logging
import NIOCore

/// Connections that are counted from their first moment, before a TLS handshake.
struct CountedChannel<Base: ServerChildChannel>: ServerChildChannel {
    let base: Base
    let capacity: ListenerCapacity

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Base.Value> {
        do {
            try channel.pipeline.syncOperations.addHandler(ConnectionHandler(capacity: capacity))
        } catch {
            return channel.eventLoop.makeFailedFuture(error)
        }
        return base.setup(channel: channel, logger: logger)
    }

    func handle(value: Base.Value, logger: Logger) async {
        await base.handle(value: value, logger: logger)
    }
}

extension HTTPServerBuilder {
    /// HTTP/1.1 without TLS, within limits.
    static func plain(_ capacity: ListenerCapacity) -> HTTPServerBuilder {
        HTTPServerBuilder { responder in
            CountedChannel(
                base: HTTP1Channel(responder: responder, configuration: .init(capacity)), capacity: capacity)
        }
    }
}
