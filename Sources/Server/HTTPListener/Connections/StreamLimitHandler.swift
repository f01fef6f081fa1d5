import NIOCore
import NIOHTTPTypes

/// Counts HTTP/2 streams, ends those beyond the limit, and notifies their connection. On an HTTP/1 connection it does nothing.
/// It is each stream's first handler that knows it to be one, and adds the ``StreamEndHandler``.
final class StreamLimitHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart

    private let capacity: ListenerCapacity
    private(set) var held: TrackedChannel?
    private var isOneTooMany = false
    private var connection: ConnectionTimeoutHandler?

    init(capacity: ListenerCapacity) {
        self.capacity = capacity
    }

    func handlerAdded(context: ChannelHandlerContext) {
        guard context.channel.isStream else { return }
        // Behind what makes frames of a response.
        try? context.pipeline.syncOperations.addHandler(StreamEndHandler(), position: .first)
        let (loop, own) = (context.eventLoop, NIOLoopBound(context, eventLoop: context.eventLoop))
        let held = TrackedChannel(holder: capacity.holder(at: context.channel.remoteAddress?.ipAddress)) { reason in
            loop.execute {
                let pipeline = own.value.pipeline.syncOperations
                (try? pipeline.handler(type: RequestLimitsHandler.self))?.end(for: reason)
            }
        }
        self.held = held
        isOneTooMany = !capacity.streams.add(held)
        connection = try? context.channel.parent?.pipeline.syncOperations.handler(type: ConnectionTimeoutHandler.self)
        connection?.streamOpened()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        guard let held else { return }
        capacity.streams.remove(held)
        capacity.bodies.remove(held)
        // It holds this handler's context.
        self.held = nil
        connection?.streamClosed()
        connection = nil
    }

    func channelActive(context: ChannelHandlerContext) {
        if isOneTooMany { return context.close(promise: nil) }
        context.fireChannelActive()
    }
}

extension Channel {
    /// Of HTTP/2: it stands on a connection, and that on the listener.
    var isStream: Bool { parent?.parent != nil }
}
