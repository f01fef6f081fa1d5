import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOHTTPTypes

/// Ends connections whose clients are too slow or hold more than their share, and rejects heads and chunks that are too large and
/// input that is not HTTP: with 408, 503, 431, 413 or 400 where a response is due, otherwise without.
final class RequestLimitsHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private let capacity: ListenerCapacity
    private let limits: ListenerLimits
    private var progress = RequestProgress()
    private var timed: (deadline: RequestProgress.ReadDeadline, timer: Scheduled<Void>)?
    /// Whether the last response was begun: nothing more is read, or written.
    private var didSendResponseHead = false
    /// Whether the last request that was received has the connection option `close`.
    private var isCloseRequested = false
    /// Whether the connection ends with the response that was begun last, because the listener closes soon.
    private var isDraining = false
    /// The rejection of a pipelined request, which is sent after the responses to those before it.
    private var pending: ListenerRejection?
    private var context: ChannelHandlerContext?
    private var framing: HTTP1FramingHandler?
    private var connection: ConnectionLimitHandler?
    /// The standing that the connection was last notified of.
    private var standing = TrackedChannel.Standing.idle
    /// Of each request without a response, how many bytes of its body have come.
    private var bodies = CircularBuffer<Int>()
    /// The sum of these, how much of it is counted, and whether it was counted as a body of which more is to come.
    private var bodyBytes = (received: 0, counted: 0, isComing: false)
    /// The network of the body's sender; behind a proxy, as that reports.
    private var sender: PeerNetwork?
    /// How long a client that has its last answer may go on sending. To close at once would answer that with a reset, which can take
    /// the answer away before it is read.
    static let lingering = TimeAmount.seconds(2)
    /// In bytes. A body that comes whole and is not longer is not counted.
    private static let smallBody = 16_384

    init(capacity: ListenerCapacity) {
        self.capacity = capacity
        limits = capacity.limits
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        let pipeline = context.pipeline.syncOperations
        if let decoder = try? pipeline.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self) {
            let framing = HTTP1FramingHandler(bodyBytesMax: limits.bodyBytes)
            do {
                try pipeline.addHandler(framing, position: .before(decoder))
                let handlers: [any ChannelHandler] = [
                    ConnectionPersistenceHandler(framing: framing), RequestSmugglingHandler(framing: framing),
                ]
                try pipeline.addHandlers(handlers, position: .after(decoder))
            } catch {
                return context.close(promise: nil)
            }
            self.framing = framing
        }
        connection = try? pipeline.handler(type: ConnectionLimitHandler.self)
        time(context)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        timed?.timer.cancel()
        self.context = nil
        connection = nil
        framing = nil
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !didSendResponseHead, pending == nil, !isEnding else { return }
        switch unwrapInboundIn(data) {
        case .head(let request):
            progress.receiveHead()
            bodies.append(0)
            isCloseRequested = request.headerFields[.connection] == "close"
            if connection?.held?.holder == nil { sender = sender(of: request, context) }
        case .body(let bytes):
            // What has its response already is not kept.
            if let last = bodies.indices.last {
                bodies[last] += bytes.readableBytes
                bodyBytes.received += bytes.readableBytes
            }
        case .end: progress.receiveEnd()
        }
        context.fireChannelRead(data)
    }

    /// Most requests come whole, so that nothing has to be timed or counted.
    func channelReadComplete(context: ChannelHandlerContext) {
        time(context)
        count(context)
        context.fireChannelReadComplete()
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard !didSendResponseHead else {
            promise?.fail(ChannelError.ioOnClosedChannel)
            return
        }
        var data = data
        switch unwrapOutboundIn(data) {
        case .head(let response) where response.status.kind == .informational: break
        case .head(let response):
            progress.beginAnswer()
            if let last = asLast(response, context) { data = wrapOutboundOut(.head(last)) }
        case .body: break
        case .end:
            progress.endAnswer()
            bodyBytes.received -= bodies.popFirst() ?? 0
            if isDraining { return end(with: data, promise, context) }
        }
        context.write(data, promise: promise)
        time(context)
        guard case .end = unwrapOutboundIn(data) else { return }
        count(context)
        if let pending, progress.isRefusable { refuse(pending, context) }
    }

    /// The response with the connection option `close`, where no other follows on the connection (RFC 9112, 9.6).
    private func asLast(_ response: HTTPResponse, _ context: ChannelHandlerContext) -> HTTPResponse? {
        guard progress.isLastReceived else { return nil }
        isDraining = !isCloseRequested && capacity.isDraining()
        return isCloseRequested || isDraining ? response.endingConnection : nil
    }

    /// Nothing is read any more but the rest of the request that has the last response.
    private var isEnding: Bool { isDraining && !progress.isAnsweredEarly }

    private func end(with data: NIOAny, _ promise: EventLoopPromise<Void>?, _ context: ChannelHandlerContext) {
        let written = promise ?? context.eventLoop.makePromise()
        written.futureResult.assumeIsolated().whenSuccess {
            guard let context = self.context else { return }
            context.close(mode: .output, promise: nil)
            self.linger(context)
        }
        context.writeAndFlush(data, promise: written)
        time(context)
        count(context)
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        progress.isWritable = context.channel.isWritable
        time(context)
        count(context)
        context.fireChannelWritabilityChanged()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard !didSendResponseHead, !isEnding else { return }
        guard let rejection = rejection(error) else { return context.fireErrorCaught(error) }
        if progress.isRefusable {
            refuse(rejection, context)
        } else if progress.isAnsweredEarly {
            context.fireErrorCaught(error)
        } else {
            pending = pending ?? rejection
        }
    }

    /// Ends the connection to make room. A request that is being answered is not ended.
    func end(for reason: ListenerCapacity.Shed) {
        guard let context, context.channel.isActive, let held else { return }
        // It has its last answer.
        if didSendResponseHead { return cut(context) }
        guard progress.standing != .answering else {
            switch reason {
            case .connection: capacity.connections.spare(held)
            case .body:
                // It is kept, and counts again; it may have come to its end since it was chosen, and count already.
                capacity.bodies.remove(held)
                bodyBytes.counted = 0
                count(context)
            }
            return
        }
        if progress.standing == .receiving, progress.isRefusable {
            refuse(.tooManyInFlight, context, lingers: false)
        } else {
            cut(context)
        }
    }

    private func cut(_ context: ChannelHandlerContext) {
        guard let connection else { return context.close(promise: nil) }
        connection.cut()
    }

    private func rejection(_ error: any Error) -> ListenerRejection? {
        switch error {
        case is BodyTooLargeError: .bodyTooLarge(limit: limits.bodyBytes)
        case HTTPParserError.headerOverflow: .headersTooLarge
        case HTTPParserError.invalidMethod where framing?.isUnknownMethod == true: .unknownMethod
        case is HTTPParserError: .malformedRequest
        default: nil
        }
    }

    private func sender(of request: HTTPRequest, _ context: ChannelHandlerContext) -> PeerNetwork? {
        context.channel.remoteAddress?.ipAddress.map {
            PeerNetwork(address: capacity.proxies.clientAddress(peer: $0, of: request.headerFields))
        }
    }

    private var held: TrackedChannel? { connection?.held }

    /// Updates the listener's counts.
    private func count(_ context: ChannelHandlerContext) {
        guard let connection else { return }
        if standing != progress.standing {
            connection.change(from: standing, to: progress.standing)
            standing = progress.standing
        }
        let isCounted = bodyBytes.counted > 0
        let isComing = progress.standing == .receiving
        if bodyBytes.received == 0 {
            if isCounted, let held { capacity.bodies.remove(held) }
            bodyBytes.counted = 0
        } else if bodyBytes.received != bodyBytes.counted || isComing != bodyBytes.isComing,
            !progress.isAnsweredEarly, isComing || isCounted || bodyBytes.received > Self.smallBody,
            let held, let sender = held.holder ?? sender
        {
            bodyBytes.counted = bodyBytes.received
            bodyBytes.isComing = isComing
            capacity.bodies.update(held, of: sender, bytes: bodyBytes.received, isComing: isComing)
        }
    }

    /// Starts the timer of the current read deadline, unless it runs already.
    private func time(_ context: ChannelHandlerContext) {
        guard !didSendResponseHead, timed?.deadline != progress.deadline else { return }
        timed?.timer.cancel()
        timed = progress.deadline.map { deadline in
            let limit = deadline == .head ? limits.headTimeout : limits.bodyTimeout
            let timer = context.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(limit)) {
                // To cancel what has run costs a search through the timers of all connections.
                self.timed = nil
                if deadline == .body, self.progress.isRefusable {
                    self.refuse(.requestTooSlow, context)
                } else {
                    context.close(promise: nil)
                }
            }
            return (deadline, timer)
        }
    }

    /// - Parameter lingers: whether the client gets time to read the answer.
    private func refuse(_ rejection: ListenerRejection, _ context: ChannelHandlerContext, lingers: Bool = true) {
        didSendResponseHead = true
        let response = capacity.respond(rejection)
        context.write(wrapOutboundOut(.head(response.head.endingConnection)), promise: nil)
        context.write(wrapOutboundOut(.body(ByteBuffer(bytes: response.body))), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        guard lingers else { return cut(context) }
        context.close(mode: .output, promise: nil)
        linger(context)
    }

    /// Reads what still arrives for a while, and discards it.
    private func linger(_ context: ChannelHandlerContext) {
        didSendResponseHead = true
        timed?.timer.cancel()
        let timer = context.eventLoop.assumeIsolated().scheduleTask(in: Self.lingering) { context.close(promise: nil) }
        timed = (.answer, timer)
    }
}

extension HTTPResponse {
    /// With the connection option `close` (RFC 9112, 9.6).
    fileprivate var endingConnection: HTTPResponse {
        var response = self
        response.headerFields[.connection] = "close"
        return response
    }
}
