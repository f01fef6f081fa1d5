import Glibc
import NIOCore
import NIOHTTP1
import PayrelayPrimitives

/// The rules of HTTP/1 that the decoder and the encoder leave to others (RFC 9112).
///
/// - A head that a proxy could read differently (request smuggling) is refused: ``HTTPRequestHead/isAmbiguous``.
/// - The connection ends with the request that is to be its last (9.6). What follows that request is dropped: the decoder may not see the
///   option `close`, and read another request, which would be counted, would get no answer, and would hold the connection for ever.
/// - A response without a length is sent in chunks; over HTTP/1.0, which has no chunks, its end is that of the connection (6.1 and 6.3).
///   If such a body breaks off, the connection is reset: the client would take an ordinary end for the end of the body.
/// - A response without a body has no framing of one (6.3), also to HEAD.
final class HTTP1RulesHandler: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private let gate: RequestGate
    private let connection: ConnectionHandler
    /// Whether the connection ends with the present request, and whether that was read to its end.
    private var isLast = false
    private var hasEnded = false
    /// The version and the method of the last request.
    private var isOld = false
    private var isHead = false
    /// A body whose end is that of the connection.
    private enum OpenBody { case none, begun, written }
    private var openBody = OpenBody.none

    init(gate: RequestGate, connection: ConnectionHandler) {
        self.gate = gate
        self.connection = connection
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        // The decoder may have had it already.
        guard !hasEnded else { return }
        switch unwrapInboundIn(data) {
        case .head(let request):
            guard !request.isAmbiguous else { return context.fireErrorCaught(HTTPParserError.invalidHeaderToken) }
            gate.begin(request)
            isLast = request.endsConnection
            isOld = request.version == .http1_0
            isHead = request.method == .HEAD
            context.fireChannelRead(isLast ? wrapInboundOut(.head(request.endingConnection)) : data)
        case .body: context.fireChannelRead(data)
        case .end:
            if isLast {
                hasEnded = true
                gate.finish()
            }
            context.fireChannelRead(data)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if hasEnded, error is HTTPParserError { return }
        context.fireErrorCaught(error)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .head(var response):
            guard response.status.mayHaveResponseBody, !isHead, !response.headers.contains(name: "Content-Length")
            else { return context.write(data, promise: promise) }
            if isOld {
                // By this the encoder knows.
                response.version = .http1_0
                openBody = .begun
                resetOnClose(true, context.channel)
            } else {
                response.headers.add(name: "Transfer-Encoding", value: "chunked")
            }
            context.write(wrapOutboundOut(.head(response)), promise: promise)
        case .end where openBody == .begun:
            openBody = .written
            let written = promise ?? context.eventLoop.makePromise()
            written.futureResult.assumeIsolated().whenSuccess { [channel = context.channel] in
                self.resetOnClose(false, channel)
            }
            context.write(data, promise: written)
        default: context.write(data, promise: promise)
        }
    }

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        // TLS would say that this is the end (RFC 9112, 9.8).
        guard openBody == .begun, mode != .input else { return context.close(mode: mode, promise: promise) }
        context.channel.closeFuture.cascade(to: promise)
        connection.cut()
    }

    /// With a linger time of zero, closing sends RST and not FIN, also if the process dies.
    private func resetOnClose(_ isReset: Bool, _ channel: any Channel) {
        _ = (channel as? any SocketOptionProvider)?.setSoLinger(linger(l_onoff: isReset ? 1 : 0, l_linger: 0))
    }
}

extension HTTPRequestHead {
    /// Whether the decoder and a proxy in front of it could read the head differently: more than one host, or none if one is due (RFC 9112,
    /// 3.2); a target with another host than `Host` has (3.2.2); a transfer coding besides `chunked` (6.1), which the decoder would leave in
    /// the body; any transfer coding over HTTP/1.0, which has none (6.1).
    var isAmbiguous: Bool { !hasOneHost || !hasOneCoding }

    /// White space around a value is not a part of it (RFC 9110, 5.5); the decoder leaves what is behind it.
    private var hasOneHost: Bool {
        let hosts = headers["Host"].map { $0.trimmedOfSpaces }
        guard hosts.count == 1 || (hosts.isEmpty && version == .http1_0), hosts.allSatisfy(Self.isOneHost) else {
            return false
        }
        guard !uri.begins(with: "/"), let target = uri.cut(at: ":").after?.after("//") else { return true }
        let authority = target.cut(at: "/").before.cut(at: "?").before
        return hosts.allSatisfy { $0.isSame(ignoringCaseOf: authority) }
    }

    /// Whether the text has only what a host and a port have (RFC 3986, 3.2.2). Anything else could be read as another's name.
    private static func isOneHost(_ host: Substring) -> Bool {
        host.utf8.allSatisfy { byte in
            switch byte {
            case 0x21..<0x7F: !#","/?#@\<>^`{|}"#.utf8.contains(byte)
            default: false
            }
        }
    }

    private var hasOneCoding: Bool {
        let codings = headers["Transfer-Encoding"].map { $0.trimmedOfSpaces }
        guard !codings.isEmpty else { return true }
        return version != .http1_0 && codings.count == 1 && codings[0].isSame(ignoringCaseOf: "chunked")
    }

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

    /// The same request with the one option `close`: the responder knows only that.
    fileprivate var endingConnection: HTTPRequestHead {
        var head = self
        head.headers.replaceOrAdd(name: "Connection", value: "close")
        // Such a client does not know the status 100 (RFC 9110, 10.1.1).
        if version != .http1_1 { head.headers.remove(name: "Expect") }
        return head
    }
}
