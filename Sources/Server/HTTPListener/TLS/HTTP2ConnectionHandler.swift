import NIOCore
import NIOHTTP2

/// Stands between NIO's HTTP/2 and Hummingbird's management of a connection.
///
/// Hummingbird takes the third PING that is earlier than it would like for an attack, and closes the connection with the payments on it.
/// So it gets none: NIO has acknowledged them before, and limits their rate. And it closes a connection that drains as soon as the last
/// stream has written its end. Its client would get nothing of that response, which is flushed in the same turn of the event loop.
final class HTTP2ConnectionHandler: ChannelDuplexHandler {
    typealias InboundIn = HTTP2Frame
    typealias OutboundIn = HTTP2Frame

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .ping(_, ack: false) = unwrapInboundIn(data).payload { return }
        context.fireChannelRead(data)
    }

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        context.eventLoop.assumeIsolated().execute { context.close(mode: mode, promise: promise) }
    }
}
