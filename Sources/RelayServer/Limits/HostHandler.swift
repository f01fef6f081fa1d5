import NIOCore
import NIOHTTP1

/// Refuses requests of HTTP/1 that name more than one host, or none where one is due (RFC 9112, 3.2): who stands before the
/// relay may go by another than the one that is seen here. Behind it the second would be a field like others.
final class HostHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .head(let request) = unwrapInboundIn(data) {
            let hosts = request.headers["Host"].count
            guard hosts == 1 || (hosts == 0 && request.version == .http1_0) else {
                return context.fireErrorCaught(HTTPParserError.invalidHeaderToken)
            }
        }
        context.fireChannelRead(data)
    }
}
