import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOHTTPTypes
import OrderedJSON

/// Ends connections whose clients are too slow, and refuses heads that are too large and what is no HTTP: 408, 431 and 400 where
/// an answer is due, and nothing where none is.
final class RequestReceptionHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private let limits: ListenerLimits
    private var reception = RequestReception()
    private var timed: (debt: RequestReception.Debt, timer: Scheduled<Void>)?
    /// Whether the last answer was given: nothing more is read, or written.
    private var hasSpoken = false
    /// What came behind a request that is being answered, and is refused after that.
    private var fault: HTTPParserError?
    /// How long a client that has its last answer may go on sending. To close at once would answer that with a reset, which can take
    /// the answer away before it is read.
    private static let lingering = TimeAmount.seconds(2)

    init(limits: ListenerLimits) {
        self.limits = limits
    }

    func handlerAdded(context: ChannelHandlerContext) {
        // HTTP/2 has no such decoder.
        let pipeline = context.pipeline.syncOperations
        if let decoder = try? pipeline.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self) {
            do {
                try pipeline.addHandler(AmbiguousHeadHandler(), position: .after(decoder))
            } catch {
                return context.close(promise: nil)
            }
        }
        time(context)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        timed?.timer.cancel()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !hasSpoken else { return }
        switch unwrapInboundIn(data) {
        case .head(let request):
            reception.receiveHead()
            // Over HTTP/1.1 the decoder has refused it before; over HTTP/2 nobody else counts by this limit.
            if limits.areExceeded(by: request) {
                return reception.isRefusable ? refuse(.headersTooLarge, context) : context.close(promise: nil)
            }
        case .body: break
        case .end: reception.receiveEnd()
        }
        context.fireChannelRead(data)
    }

    /// Most requests come whole, so that nothing has to be timed.
    func channelReadComplete(context: ChannelHandlerContext) {
        time(context)
        context.fireChannelReadComplete()
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard !hasSpoken else {
            promise?.fail(ChannelError.ioOnClosedChannel)
            return
        }
        switch unwrapOutboundIn(data) {
        case .head(let response) where response.status.kind == .informational: break
        case .head: reception.beginAnswer()
        case .body: break
        case .end: reception.endAnswer()
        }
        context.write(data, promise: promise)
        time(context)
        if let fault, reception.isRefusable { return refuse(Self.problem(fault), context) }
        // What has its answer need not come whole; nothing follows it on its stream.
        if case .end = unwrapOutboundIn(data), reception.isAnsweredEarly, context.channel.isStream { linger(context) }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        reception.isWritable = context.channel.isWritable
        time(context)
        context.fireChannelWritabilityChanged()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard !hasSpoken else { return }
        guard let error = error as? HTTPParserError else { return context.fireErrorCaught(error) }
        if reception.isRefusable {
            refuse(Self.problem(error), context)
        } else if reception.isAnsweredEarly {
            context.fireErrorCaught(error)
        } else {
            fault = error
        }
    }

    private static func problem(_ error: HTTPParserError) -> Problem {
        error == .headerOverflow ? .headersTooLarge : .malformedRequest
    }

    /// Lets the time run for what the client owes now, unless it runs already.
    private func time(_ context: ChannelHandlerContext) {
        guard !hasSpoken, timed?.debt != reception.debt else { return }
        timed?.timer.cancel()
        timed = reception.debt.map { debt in
            let limit = debt == .head ? limits.headTimeout : limits.bodyTimeout
            let timer = context.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(limit)) {
                // To cancel what has run costs a search through the timers of all connections.
                self.timed = nil
                if debt == .body, self.reception.isRefusable {
                    self.refuse(.requestTooSlow, context)
                } else {
                    context.close(promise: nil)
                }
            }
            return (debt, timer)
        }
    }

    private func refuse(_ problem: Problem, _ context: ChannelHandlerContext) {
        hasSpoken = true
        let body = problem.json.encoded()
        let head = HTTPResponse(
            status: problem.status,
            headerFields: [
                .contentType: "application/problem+json", .contentLength: "\(body.count)", .cacheControl: "no-store",
                .xContentTypeOptions: "nosniff",
            ])
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.write(wrapOutboundOut(.body(ByteBuffer(bytes: body))), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        // A stream ends with its answer; to close it would reset it, and the answer with it.
        if !context.channel.isStream { context.close(mode: .output, promise: nil) }
        linger(context)
    }

    /// Reads what still comes for a while, and drops it.
    private func linger(_ context: ChannelHandlerContext) {
        hasSpoken = true
        timed?.timer.cancel()
        let timer = context.eventLoop.assumeIsolated().scheduleTask(in: Self.lingering) { context.close(promise: nil) }
        timed = (.answer, timer)
    }
}
