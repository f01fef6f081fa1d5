import NIOCore
import NIOHTTP2
import NIOTLS

/// Closes a connection whose TLS handshake is not done in time, and an HTTP/2 connection without a request for too long: also one
/// whose client ignores GOAWAY. HTTP/1 connections and HTTP/2 streams have a handler of their own after the handshake. It is the one
/// that knows when a connection becomes one of HTTP/2, and adds the ``HTTP2ConnectionHandler``.
final class ConnectionTimeoutHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer

    private let limits: ListenerLimits
    private var context: ChannelHandlerContext?
    private var streams = 0
    private var timer: Scheduled<Void>?
    /// For a client to read that it should go, and to go.
    private static let lastWords = TimeAmount.seconds(2)

    init(limits: ListenerLimits) {
        self.limits = limits
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        close(after: TimeAmount(limits.headTimeout))
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        timer?.cancel()
        self.context = nil
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard case TLSUserEvent.handshakeCompleted(let version) = event else {
            return context.fireUserInboundEventTriggered(event)
        }
        if version == "h2" { close(after: TimeAmount(limits.headTimeout)) } else { timer?.cancel() }
        // Makes the rest of the pipeline.
        context.fireUserInboundEventTriggered(event)
        let pipeline = context.pipeline.syncOperations
        guard let http2 = try? pipeline.handler(type: NIOHTTP2Handler.self) else { return }
        do {
            try pipeline.addHandler(HTTP2ConnectionHandler(), position: .after(http2))
        } catch {
            context.close(promise: nil)
        }
    }

    func streamOpened() {
        streams += 1
        timer?.cancel()
    }

    func streamClosed() {
        streams -= 1
        if streams == 0 { close(after: TimeAmount(limits.idleTimeout) + Self.lastWords) }
    }

    private func close(after time: TimeAmount) {
        timer?.cancel()
        timer = context?.eventLoop.assumeIsolated().scheduleTask(in: time) {
            self.context?.close(promise: nil)
        }
    }
}
