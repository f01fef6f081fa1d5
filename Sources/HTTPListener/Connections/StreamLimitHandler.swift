import NIOCore
import NIOHTTPTypes

/// Counts the streams of HTTP/2, ends those that are too many, and tells their connection of them. On a connection of HTTP/1 it
/// does nothing.
final class StreamLimitHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart

    private let capacity: ListenerCapacity
    private(set) var held: HeldChannel?
    private var isOneTooMany = false
    private var connection: ConnectionTimeoutHandler?

    init(capacity: ListenerCapacity) {
        self.capacity = capacity
    }

    func handlerAdded(context: ChannelHandlerContext) {
        guard context.channel.isStream else { return }
        let (loop, own) = (context.eventLoop, NIOLoopBound(context, eventLoop: context.eventLoop))
        let held = HeldChannel(holder: capacity.holder(at: context.channel.remoteAddress?.ipAddress)) { reason in
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
