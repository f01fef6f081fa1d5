import NIOCore
import PayrelayPrimitives
import NIOHTTP1

/// Refuses heads of HTTP/1 that the decoder and a proxy in front of it could read differently (request smuggling): more
/// than one host, or none where one is due (RFC 9112, 3.2), and a transfer coding besides `chunked` (RFC 9112, 6.1), which the
/// decoder would leave in the body; any transfer coding over HTTP/1.0, which has none (RFC 9112, 6.1); and a target with another
/// host than `Host` has (RFC 9112, 3.2.2). White space around a value is no part of it (RFC 9112, 5.1); the decoder leaves what is
/// behind it.
final class RequestSmugglingHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart

    private let framing: HTTP1FramingHandler

    init(framing: HTTP1FramingHandler) {
        self.framing = framing
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .head(let request) = unwrapInboundIn(data) {
            guard Self.hasOneHost(request), Self.hasOneCoding(request) else {
                return context.fireErrorCaught(HTTPParserError.invalidHeaderToken)
            }
            framing.begin(request)
        }
        context.fireChannelRead(data)
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
