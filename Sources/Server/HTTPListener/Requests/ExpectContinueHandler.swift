import HTTPTypes
import PayrelayPrimitives
import NIOCore
import NIOHTTPTypes

/// The body of the request that is being answered is wanted. An event for ``ExpectContinueHandler``.
public struct BodyWanted: Sendable {
    public init() {}
}

/// Answers `Expect: 100-continue` once the body is wanted, so that a request that is refused by its head sends no body. Some
/// clients wait for it and send nothing until then (RFC 9110, 10.1.1).
final class ExpectContinueHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private var isWaiting = false

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let request):
            isWaiting = request.headerFields[.expect]?.isSame(ignoringCaseOf: "100-continue") == true
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
