import NIOCore
import NIOHTTP1

/// Refuses heads of HTTP/1 that the decoder reads in one way and somebody who stands before the relay could read in another: more
/// than one host, or none where one is due (RFC 9112, 3.2), and a transfer coding besides `chunked` (RFC 9112, 6.1), which the
/// decoder would leave in the body.
final class AmbiguousHeadHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .head(let request) = unwrapInboundIn(data) {
            guard Self.hasOneHost(request), Self.hasOneCoding(request) else {
                return context.fireErrorCaught(HTTPParserError.invalidHeaderToken)
            }
        }
        context.fireChannelRead(data)
    }

    private static func hasOneHost(_ request: HTTPRequestHead) -> Bool {
        let hosts = values(of: "Host", in: request)
        return (hosts.count == 1 || (hosts.isEmpty && request.version == .http1_0)) && hosts.allSatisfy(isOne)
    }

    /// Whether there is nothing in it that no host and port have (RFC 3986, 3.2.2): it could be read as another's name.
    private static func isOne(_ host: Substring) -> Bool {
        host.utf8.allSatisfy { byte in
            switch byte {
            case 0x21..<0x7F: !#","/?#@\<>^`{|}"#.utf8.contains(byte)
            default: false
            }
        }
    }

    private static func hasOneCoding(_ request: HTTPRequestHead) -> Bool {
        let codings = values(of: "Transfer-Encoding", in: request)
        return codings.isEmpty || (codings.count == 1 && codings[0].lowercased() == "chunked")
    }

    /// The decoder leaves white space at a value's end, which is no part of it (RFC 9112, 5.1).
    private static func values(of name: String, in request: HTTPRequestHead) -> [Substring] {
        request.headers[name].map { value in
            var value = Substring(value)
            while value.utf8.last == UInt8(ascii: " ") { value.removeLast() }
            return value
        }
    }
}
