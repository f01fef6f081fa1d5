import NIOCore
import NIOHTTP1
import PayrelayPrimitives

/// Ends a connection of HTTP/1 with the request that is to be its last (RFC 9112, 9.6), and with the response to it.
///
/// Nothing is passed on behind that request. The decoder may read on there, where it does not see the option `close`: a request that is
/// counted and that nobody answers would hold its connection for ever.
///
/// Over HTTP/1.0, which has no chunks, the end of the connection is also that of a body of unknown length (RFC 9112, 6.1 and 6.3).
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
        // Those to the requests before it do not have the option.
        guard isOld, case .head(var response) = unwrapOutboundIn(data),
            response.headers.first(name: "Connection") == "close", !response.headers.contains(name: "Content-Length")
        else { return context.write(data, promise: promise) }
        // By this the encoder knows.
        response.version = .http1_0
        context.write(wrapOutboundOut(.head(response)), promise: promise)
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
