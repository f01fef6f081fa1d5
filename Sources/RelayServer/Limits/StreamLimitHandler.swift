import NIOCore
import NIOHTTPTypes

/// Counts the streams of HTTP/2, resets those beyond the limit, and tells their connection of them. On a connection of HTTP/1 it
/// does nothing.
final class StreamLimitHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart

    private let streams: OpenStreams
    private var isOneTooMany = false
    private var connection: ConnectionTimeoutHandler?

    init(streams: OpenStreams) {
        self.streams = streams
    }

    func handlerAdded(context: ChannelHandlerContext) {
        guard context.channel.isStream else { return }
        isOneTooMany = !streams.open()
        connection = try? context.channel.parent?.pipeline.syncOperations.handler(type: ConnectionTimeoutHandler.self)
        connection?.streamOpened()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        guard context.channel.isStream else { return }
        streams.close()
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
