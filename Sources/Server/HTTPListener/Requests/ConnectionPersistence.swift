import Glibc
import NIOCore
import NIOHTTP1
import PayrelayPrimitives

/// Ends a connection of HTTP/1 with the request that is to be its last (RFC 9112, 9.6), and with the response to it.
///
/// What follows that request is dropped. The decoder may not see the option `close`, and read another request: it would be counted, would
/// get no answer, and would hold the connection for ever.
///
/// Over HTTP/1.0, which has no chunks, the end of the connection is also that of a body of unknown length (RFC 9112, 6.1 and 6.3).
/// An end before that of the body is a reset: the client would take an ordinary one for the end of the body.
final class ConnectionPersistenceHandler: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private let framing: HTTP1FramingHandler
    /// Whether the connection ends with the present request, and whether that has come to its end.
    private var isLast = false
    private var hasEnded = false
    /// Whether the last request was over HTTP/1.0.
    private var isOld = false
    /// Whether a body was begun whose end is that of the connection, and is not written out yet.
    private var isEndOwed = false

    init(framing: HTTP1FramingHandler) {
        self.framing = framing
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        // The decoder may have had it already.
        guard !hasEnded else { return }
        switch unwrapInboundIn(data) {
        case .head(let request):
            isLast = request.endsConnection
            isOld = request.version == .http1_0
            context.fireChannelRead(isLast ? wrapInboundOut(.head(request.endingConnection)) : data)
        case .body: context.fireChannelRead(data)
        case .end:
            if isLast {
                hasEnded = true
                framing.finish()
            }
            context.fireChannelRead(data)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if hasEnded, error is HTTPParserError { return }
        context.fireErrorCaught(error)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard isOld else { return context.write(data, promise: promise) }
        switch unwrapOutboundIn(data) {
        case .head(var response) where response.endsWithConnection:
            // By this the encoder knows.
            response.version = .http1_0
            oweEnd(true, on: context.channel)
            context.write(wrapOutboundOut(.head(response)), promise: promise)
        case .end where isEndOwed:
            let written = promise ?? context.eventLoop.makePromise()
            written.futureResult.assumeIsolated().whenSuccess { [channel = context.channel] in
                self.oweEnd(false, on: channel)
            }
            context.write(data, promise: written)
        default: context.write(data, promise: promise)
        }
    }

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        // TLS would say that this is the end (RFC 9112, 9.8).
        guard isEndOwed, mode == .all,
            let connection = try? context.pipeline.syncOperations.handler(type: ConnectionLimitHandler.self)
        else { return context.close(mode: mode, promise: promise) }
        context.channel.closeFuture.cascade(to: promise)
        connection.cut()
    }

    private func oweEnd(_ isOwed: Bool, on channel: any Channel) {
        isEndOwed = isOwed
        // With a linger time of zero, closing sends RST and not FIN, also where the process dies.
        _ = (channel as? any SocketOptionProvider)?.setSoLinger(linger(l_onoff: isOwed ? 1 : 0, l_linger: 0))
    }
}

extension HTTPResponseHead {
    /// Whether the connection ends with it, and its body with the connection.
    fileprivate var endsWithConnection: Bool {
        // The responses to requests before the last do not have the option.
        headers.first(name: "Connection") == "close" && !headers.contains(name: "Content-Length")
    }
}

extension HTTPRequestHead {
    /// Whether the connection ends with the response to this request (RFC 9112, 9.3): it has the option `close`, whatever stands beside
    /// it, or speaks HTTP/1.0. There `keep-alive` would have to be agreed to in the response, and no response here does.
    ///
    /// So does one that asks for another protocol, or for a tunnel, and gets neither: the decoder reads nothing behind it, and would
    /// keep it. To the decoder, `Proxy-Connection` is `Connection`.
    fileprivate var endsConnection: Bool {
        version != .http1_1 || method == .CONNECT || headers.contains(name: "Upgrade")
            || ["Connection", "Proxy-Connection"].contains { name in
                headers[name].contains { field in
                    field.parts(at: ",").contains { $0.trimmedOfSpaces.isSame(ignoringCaseOf: "close") }
                }
            }
    }

    /// The same request with the one option `close`: what answers it knows that alone.
    fileprivate var endingConnection: HTTPRequestHead {
        var head = self
        head.headers.replaceOrAdd(name: "Connection", value: "close")
        // Such a client does not know the status 100 (RFC 9110, 10.1.1).
        if version != .http1_1 { head.headers.remove(name: "Expect") }
        return head
    }
}
