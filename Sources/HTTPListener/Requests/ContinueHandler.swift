import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// The body of the request that is being answered is wanted. An event for ``ContinueHandler``.
public struct BodyWanted: Sendable {
    public init() {}
}

/// Tells a client that asks first (`Expect: 100-continue`) to send its body, once that is wanted: what is refused by its head has
/// no body sent. Some wait for that and send nothing until then (RFC 9110, 10.1.1).
final class ContinueHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private var isWaiting = false

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let request): isWaiting = request.headerFields[.expect]?.lowercased() == "100-continue"
        case .body, .end: isWaiting = false
        }
        context.fireChannelRead(data)
    }

    func triggerUserOutboundEvent(context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?) {
        guard event is BodyWanted else { return context.triggerUserOutboundEvent(event, promise: promise) }
        if isWaiting {
            isWaiting = false
            context.writeAndFlush(wrapOutboundOut(.head(HTTPResponse(status: .continue))), promise: nil)
        }
        promise?.succeed()
    }
}
