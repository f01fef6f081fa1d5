import NIOCore
import PayrelayPrimitives
import NIOHTTP1

/// Refuses heads of HTTP/1 that the decoder and a proxy in front of it could read differently (request smuggling): more
/// than one host, or none where one is due (RFC 9112, 3.2), and a transfer coding besides `chunked` (RFC 9112, 6.1), which the
/// decoder would leave in the body; any transfer coding over HTTP/1.0, which has none (RFC 9112, 6.1); and a target with another
/// host than `Host` has (RFC 9112, 3.2.2). White space around a value is no part of it (RFC 9112, 5.1); the decoder leaves what is
/// behind it.
///
/// Nothing is passed on behind the request with which the connection ends (RFC 9112, 9.6): the decoder may read on where that request
/// does not have the option `close` for it, and what nobody answers would count as a request without a response for ever.
///
/// It is the one that knows the version of a request: over HTTP/1.0, which has no chunks, a body of unknown length ends with its
/// connection (RFC 9112, 6.1 and 6.3).
final class RequestSmugglingHandler: ChannelDuplexHandler {
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
            guard Self.hasOneHost(request), Self.hasOneCoding(request) else {
                return context.fireErrorCaught(HTTPParserError.invalidHeaderToken)
            }
            framing.begin(request)
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

    private static func hasOneHost(_ request: HTTPRequestHead) -> Bool {
        let hosts = request.headers["Host"].map { $0.trimmedOfSpaces }
        guard hosts.count == 1 || (hosts.isEmpty && request.version == .http1_0), hosts.allSatisfy(isOne) else {
            return false
        }
        guard !request.uri.begins(with: "/"), let target = request.uri.cut(at: ":").after?.after("//") else {
            return true
        }
        let authority = target.cut(at: "/").before.cut(at: "?").before
        return hosts.allSatisfy { $0.isSame(ignoringCaseOf: authority) }
    }

    /// Whether there is nothing in it that no host and port have (RFC 3986, 3.2.2): it could be read as another's name.
    static func isOne(_ host: Substring) -> Bool {
        host.utf8.allSatisfy { byte in
            switch byte {
            case 0x21..<0x7F: !#","/?#@\<>^`{|}"#.utf8.contains(byte)
            default: false
            }
        }
    }

    private static func hasOneCoding(_ request: HTTPRequestHead) -> Bool {
        let codings = request.headers["Transfer-Encoding"].map { $0.trimmedOfSpaces }
        guard !codings.isEmpty else { return true }
        return request.version != .http1_0 && codings.count == 1 && codings[0].isSame(ignoringCaseOf: "chunked")
    }
}
