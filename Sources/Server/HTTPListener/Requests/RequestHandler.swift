import HTTPTypes
import HummingbirdCore
import NIOCore
import NIOHTTPTypes
import PayrelayPrimitives

/// The body of the request that is being answered is wanted. An event for ``RequestHandler``.
public struct BodyWanted: Sendable {
    public init() {}
}

/// Gives the requests of a connection to the listener's responder, each in a task of its own, and
/// writes the responses in the order of the requests.
///
/// What comes in while another request is being answered waits here, and no more is read once a little waits. No request is begun while
/// the client does not read what it was answered. `Expect: 100-continue` is answered once the body is wanted, so that a request that is
/// refused by its head sends none (RFC 9110, 10.1.1).
final class RequestHandler: ChannelDuplexHandler {
    typealias InboundIn = HTTPRequestPart
    typealias OutboundOut = HTTPResponsePart
    typealias OutboundIn = HTTPResponsePart

    typealias Respond = @Sendable (Request, any Channel) async -> Response

    private enum State {
        case idle
        /// The body may be there already, with the head.
        case gathering(HTTPRequest, ByteBuffer)
        /// A task answers the request. Nil once its whole body has arrived.
        case answering(IncomingBody?)
        /// It has its response; the rest of its body is not read.
        case dropping
        /// The last response was given (RFC 9112, 9.6).
        case ended
    }

    private enum Inbound {
        case part(HTTPRequestPart)
        /// No more comes.
        case inputClosed
        case failure(any Error)
    }

    private let respond: Respond
    /// Nil where requests are answered on other threads than the connection's.
    private let executor: EventLoopTaskExecutor?
    private var state = State.idle
    /// Whether the connection ends with the present response.
    private var isLast = false
    /// Whether the client may wait until it is told to send the body.
    private var isContinueAwaited = false
    private var waiting = CircularBuffer<Inbound>()
    /// Whether a read was put off until less waits.
    private var isReadPutOff = false
    /// Whether the client reads the responses: bytes can be written to it.
    private var isWritable = true
    /// Requests that were answered since nothing waited.
    private var answeredInARow = 0
    private var isConnected = true
    private var task: Task<Void, Never>?
    /// Whether the body of the response is sent while it is made.
    private var isStreaming = false

    /// How many parts may wait before no more is read.
    private static let waitingMax = 8
    /// More parts than one read brings. Only a client that has closed its side is read further, to its end; beyond this its connection
    /// is closed.
    private static let waitingLimit = 2_048
    /// After so many requests in a row the loop's other connections have their turn.
    private static let answeredInARowMax = 16

    init(executor: EventLoopTaskExecutor?, respond: @escaping Respond) {
        self.executor = executor
        self.respond = respond
    }

    // MARK: What comes in

    func handlerAdded(context: ChannelHandlerContext) {
        isWritable = context.channel.isWritable
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        take(.part(unwrapInboundIn(data)), context)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        answerBeforeItsEnd(context)
        context.fireChannelReadComplete()
    }

    /// What has not come with the head comes while the request is being answered.
    private func answerBeforeItsEnd(_ context: ChannelHandlerContext) {
        guard case .gathering(let head, let beginning) = state else { return }
        let body = IncomingBody(context.eventLoop) { [own = bound(context)] in own.value.0.wantBody(own.value.1) }
        body.receive(beginning)
        state = .answering(body)
        answer(Request(head: head, body: RequestBody(asyncSequence: body.pieces)), context)
    }

    private func wantBody(_ context: ChannelHandlerContext) {
        if case .answering(let body?) = state { body.isFull = false }
        readPutOff(context)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard let event = event as? ChannelEvent, event == .inputClosed else {
            return context.fireUserInboundEventTriggered(event)
        }
        failBody(context)
        take(.inputClosed, context)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        failBody(context)
        take(.failure(error), context)
    }

    /// Nothing comes any more of a body whose end is not there.
    private func failBody(_ context: ChannelHandlerContext) {
        answerBeforeItsEnd(context)
        if case .answering(let body?) = state { body.fail() }
    }

    func read(context: ChannelHandlerContext) {
        if isRead { return context.read() }
        isReadPutOff = true
    }

    private var isRead: Bool {
        if case .answering(let body?) = state, body.isFull { return false }
        return isWritable && waiting.count < Self.waitingMax
    }

    private func readPutOff(_ context: ChannelHandlerContext) {
        guard isReadPutOff, isRead else { return }
        isReadPutOff = false
        context.read()
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        isWritable = context.channel.isWritable
        if isWritable { takeWaiting(context) }
        context.fireChannelWritabilityChanged()
    }

    func channelInactive(context: ChannelHandlerContext) {
        disconnect()
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        disconnect()
    }

    private func disconnect() {
        isConnected = false
        waiting.removeAll()
        if case .answering(let body?) = state { body.fail() }
        state = .ended
        // What was begun for a payment is carried through without its client.
        if isStreaming { task?.cancel() }
        task = nil
    }

    private func take(_ inbound: Inbound, _ context: ChannelHandlerContext) {
        guard waiting.isEmpty, isItsTurn(inbound) else {
            waiting.append(inbound)
            if waiting.count > Self.waitingLimit { context.close(promise: nil) }
            return
        }
        handle(inbound, context)
    }

    private func takeWaiting(_ context: ChannelHandlerContext) {
        if waiting.isEmpty { answeredInARow = 0 }
        guard answeredInARow < Self.answeredInARowMax else { return rest(context) }
        var isAnyTaken = false
        while let next = waiting.first, isItsTurn(next) {
            handle(waiting.removeFirst(), context)
            isAnyTaken = true
        }
        if isAnyTaken { channelReadComplete(context: context) }
        readPutOff(context)
    }

    /// A loop reads from no connection while anything is to be run at once, so what waits goes on a moment later.
    private func rest(_ context: ChannelHandlerContext) {
        context.eventLoop.assumeIsolated().scheduleTask(in: .milliseconds(1)) {
            self.answeredInARow = 0
            if self.isConnected { self.takeWaiting(context) }
        }
    }

    /// The next request waits for the response to the one before it, and until the client has read enough of the responses. So does what
    /// says that no more comes: what is behind this handler closes the connection then.
    private func isItsTurn(_ inbound: Inbound) -> Bool {
        switch (state, inbound) {
        case (.answering(let body), .part): body != nil
        case (.answering, _): false
        case (.idle, .part(.head)): isWritable
        default: true
        }
    }

    private func handle(_ inbound: Inbound, _ context: ChannelHandlerContext) {
        switch inbound {
        case .part(let part): handle(part, context)
        case .inputClosed: context.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        case .failure(let error): context.fireErrorCaught(error)
        }
    }

    private func handle(_ part: HTTPRequestPart, _ context: ChannelHandlerContext) {
        if case .head = part {} else { isContinueAwaited = false }
        switch (state, part) {
        case (.idle, .head(let head)):
            isLast = head.headerFields[.connection] == "close"
            isContinueAwaited = head.headerFields[.expect]?.isSame(ignoringCaseOf: "100-continue") == true
            state = .gathering(head, ByteBuffer())
        case (.gathering(let head, var body), .body(var piece)):
            // Most bodies come in one piece.
            if body.readableBytes == 0 { body = piece } else { body.writeBuffer(&piece) }
            state = .gathering(head, body)
        case (.gathering(let head, let body), .end):
            state = .answering(nil)
            answer(Request(head: head, body: RequestBody(buffer: body)), context)
        case (.answering(let body?), .body(let piece)): body.receive(piece)
        case (.answering(let body?), .end):
            body.end()
            state = .answering(nil)
        case (.dropping, .end): state = .idle
        case (.idle, _), (.gathering, .head), (.answering, _), (.dropping, _), (.ended, _): break
        }
    }

    func triggerUserOutboundEvent(context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?) {
        guard event is BodyWanted else { return context.triggerUserOutboundEvent(event, promise: promise) }
        if isContinueAwaited {
            isContinueAwaited = false
            context.writeAndFlush(wrapOutboundOut(.head(HTTPResponse(status: .continue))), promise: nil)
        }
        promise?.succeed()
    }

    // MARK: Responses

    private func answer(_ request: Request, _ context: ChannelHandlerContext) {
        let sink = ResponseSink(loop: context.eventLoop, own: bound(context))
        task = Task(executorPreference: executor) { [respond, channel = context.channel] in
            await sink.send(await respond(request, channel))
        }
    }

    /// A whole response.
    func send(_ head: HTTPResponse, _ body: ByteBuffer?, _ context: ChannelHandlerContext) {
        guard isConnected else { return }
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        if let body { context.write(wrapOutboundOut(.body(body)), promise: nil) }
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        endResponse(context)
    }

    /// A part of a response whose body is sent while it is made.
    ///
    /// - Returns: succeeds once the client has taken it.
    func send(_ part: HTTPResponsePart, _ context: ChannelHandlerContext) -> EventLoopFuture<Void> {
        guard isConnected else { return context.eventLoop.makeFailedFuture(ChannelError.ioOnClosedChannel) }
        let taken = context.eventLoop.makePromise(of: Void.self)
        isStreaming = true
        context.writeAndFlush(wrapOutboundOut(part), promise: taken)
        if case .end = part { endResponse(context) }
        return taken.futureResult
    }

    private func endResponse(_ context: ChannelHandlerContext) {
        (isStreaming, task) = (false, nil)
        answeredInARow += 1
        if isLast {
            state = .ended
            context.close(mode: .output, promise: nil)
        } else if case .answering(nil) = state {
            state = .idle
        } else {
            state = .dropping
        }
        takeWaiting(context)
    }

    private func bound(_ context: ChannelHandlerContext) -> NIOLoopBound<(RequestHandler, ChannelHandlerContext)> {
        NIOLoopBound((self, context), eventLoop: context.eventLoop)
    }
}
