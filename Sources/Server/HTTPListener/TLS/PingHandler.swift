import NIOCore
import NIOHTTP2

/// Keeps the PING frames of clients from Hummingbird, which takes the third that is earlier than it would like for an attack: it
/// closes the connection with the payments on it. NIO has acknowledged them before, and limits their rate.
final class PingHandler: ChannelInboundHandler {
    typealias InboundIn = HTTP2Frame

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .ping(_, ack: false) = unwrapInboundIn(data).payload { return }
        context.fireChannelRead(data)
    }
}
