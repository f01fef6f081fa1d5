import Glibc
import NIOCore
import NIOHTTP1
import PayrelayPrimitives

/// The rules of HTTP/1 (RFC 9112) that NIO's decoder and encoder do not enforce:
///
/// - A head that a proxy could read differently (request smuggling) is rejected: ``HTTPRequestHead/isAmbiguous``.
/// - The connection ends with a request that has the option `close` (9.6), and everything after that request is
///   dropped. Otherwise a decoder that does not recognize the option would read another request, which would be
///   counted, would get no response, and would keep the connection open for ever.
/// - A response without a length is sent in chunks. HTTP/1.0 has no chunks, so there the end of the connection is
///   the end of the body (6.1 and 6.3). If such a body breaks off, the connection is reset, because the client
///   would take a regular close for the end of the body.
/// - A response without a body, such as one to HEAD, gets no framing header fields (6.3).
final class HTTP1RulesHandler: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private let gate: RequestGate
    private let connection: ConnectionHandler
    /// Whether the connection ends with the current request.
    private var isLast = false
    private var hasEnded = false
    /// Whether the current request uses HTTP/1.0, and whether its method is HEAD.
    private var isOld = false
    private var isHead = false
    /// The state of a response body that ends with the connection.
    private enum OpenBody { case none, begun, written }
    private var openBody = OpenBody.none

    init(gate: RequestGate, connection: ConnectionHandler) {
        self.gate = gate
        self.connection = connection
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        // The decoder may already have read more than the last request.
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
                // The version makes the encoder end the body with the connection.
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
        // TLS would send a close_notify, which marks the body as complete (RFC 9112, 9.8).
        guard openBody == .begun, mode != .input else { return context.close(mode: mode, promise: promise) }
        context.channel.closeFuture.cascade(to: promise)
        connection.cut()
    }

    /// Sets whether closing the socket sends RST instead of FIN. A linger time of zero does that, even if the
    /// process dies.
    private func resetOnClose(_ isReset: Bool, _ channel: any Channel) {
        _ = (channel as? any SocketOptionProvider)?.setSoLinger(linger(l_onoff: isReset ? 1 : 0, l_linger: 0))
    }
}

extension HTTPRequestHead {
    /// Whether the decoder and a proxy in front of it could read the head differently. That is so if the head
    /// has:
    ///
    /// - more than one host, or none although one is required (RFC 9112, 3.2);
    /// - a target whose host differs from `Host` (3.2.2);
    /// - a transfer coding other than `chunked` (6.1), which the decoder would leave in the body;
    /// - any transfer coding over HTTP/1.0, which has none (6.1).
    var isAmbiguous: Bool { !hasOneHost || !hasOneCoding }

    /// Whether the head has exactly one host, if one is required. White space around a value is not part of the
    /// value (RFC 9110, 5.5), but the decoder leaves trailing white space in it.
    private var hasOneHost: Bool {
        let hosts = headers["Host"].map { $0.trimmedOfSpaces }
        guard hosts.count == 1 || (hosts.isEmpty && version == .http1_0), hosts.allSatisfy(Self.isOneHost) else {
            return false
        }
        guard !uri.begins(with: "/"), let target = uri.cut(at: ":").after?.after("//") else { return true }
        let authority = target.cut(at: "/").before.cut(at: "?").before
        return hosts.allSatisfy { $0.isSame(ignoringCaseOf: authority) }
    }

    /// Whether the text consists only of characters that a host and a port may have (RFC 3986, 3.2.2). Any other
    /// character could make a proxy read a different host.
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

    /// Whether the connection ends with the response to this request (RFC 9112, 9.3):
    ///
    /// - The request has the connection option `close`, alone or among others.
    /// - It uses HTTP/1.0. There `keep-alive` would have to be confirmed in the response, which payrelay never
    ///   does.
    /// - It asks for another protocol or for a tunnel, both of which payrelay refuses. The decoder would not
    ///   parse anything after such a request, but would keep it in memory.
    ///
    /// The decoder treats `Proxy-Connection` like `Connection`, so both are checked.
    fileprivate var endsConnection: Bool {
        version != .http1_1 || method == .CONNECT || headers.contains(name: "Upgrade")
            || ["Connection", "Proxy-Connection"].contains { name in
                headers[name].contains { field in
                    field.parts(at: ",").contains { $0.trimmedOfSpaces.isSame(ignoringCaseOf: "close") }
                }
            }
    }

    /// The same request with `close` as its only connection option, because that is the only form that the
    /// responder recognizes.
    fileprivate var endingConnection: HTTPRequestHead {
        var head = self
        head.headers.replaceOrAdd(name: "Connection", value: "close")
        // A client that speaks HTTP/1.0 does not know the status 100 (RFC 9110, 10.1.1).
        if version != .http1_1 { head.headers.remove(name: "Expect") }
        return head
    }
}
