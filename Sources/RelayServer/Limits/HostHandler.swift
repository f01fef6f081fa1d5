import NIOCore
import NIOHTTP1

/// Refuses requests of HTTP/1 that name more than one host, or none where one is due (RFC 9112, 3.2): who stands before the
/// relay may go by another than the one that is seen here. Behind it the second would be a field like others.
final class HostHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .head(let request) = unwrapInboundIn(data) {
            let hosts = request.headers["Host"]
            guard hosts.count == 1 || (hosts.isEmpty && request.version == .http1_0), hosts.allSatisfy(Self.isOne)
            else {
                return context.fireErrorCaught(HTTPParserError.invalidHeaderToken)
            }
        }
        context.fireChannelRead(data)
    }

    /// Whether there is nothing in it that no host and port have (RFC 3986, 3.2.2): it could be read as another's name.
    private static func isOne(_ host: String) -> Bool {
        host.utf8.allSatisfy { byte in
            switch byte {
            case 0x21..<0x7F: !#","/?#@\<>^`{|}"#.utf8.contains(byte)
            default: false
            }
        }
    }
}
