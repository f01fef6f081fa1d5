import HTTPTypes
import PayrelayPrimitives
import HummingbirdCore
import NIOCore
import NIOHTTPTypes

/// Gives requests to an ``EventLoopResponder`` and writes what it answers; passes all others on to the listener's own responder.
///
/// Responses leave in the order of their requests: what comes in while another request is being answered waits here, and no
/// more is read once a little waits.
final class EventLoopRequestHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private enum State {
        /// The next part is the head of a request, or belongs to one that was passed on.
        case open
        case reading(any EventLoopExchange, ByteBuffer)
        /// The whole request is there; its response is not.
        case answering
        /// It has its response; the rest of its body is not read.
        case dropping
        /// The last response was given (RFC 9112, 9.6).
        case ended
    }

    private enum Inbound {
        case part(HTTPRequestPart)
        case event(Any)
        case failure(any Error)
    }

    private let responder: any EventLoopResponder
    private var state = State.open
    /// Made with the first request.
    private var executor: EventLoopTaskExecutor?
    /// How many requests were passed on and have no whole response yet.
    private var passedOn = 0
    /// Whether the connection ends with the present response.
    private var isLast = false
    /// Whether the client may wait until it is told to send the body.
    private var isBodyAwaited = false
    private var waiting = CircularBuffer<Inbound>()
    /// Whether a read was put off until less waits.
    private var isReadPutOff = false
    private var isConnected = true

    /// How many parts may wait before no more is read.
    private static let waitingMax = 8

    init(responder: any EventLoopResponder) {
        self.responder = responder
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        take(.part(unwrapInboundIn(data)), context)
    }

    /// A client that waits for it is told to send its body; one whose body came with its head did not wait.
    func channelReadComplete(context: ChannelHandlerContext) {
        if isBodyAwaited, case .reading = state { context.triggerUserOutboundEvent(BodyWanted(), promise: nil) }
        isBodyAwaited = false
        context.fireChannelReadComplete()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        take(.event(event), context)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        take(.failure(error), context)
    }

    func read(context: ChannelHandlerContext) {
        if waiting.count < Self.waitingMax { return context.read() }
        isReadPutOff = true
    }

    /// A response of the listener's own responder.
    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let isEnd = if case .end = unwrapOutboundIn(data) { true } else { false }
        context.write(data, promise: promise)
        guard isEnd else { return }
        passedOn -= 1
        takeWaiting(context)
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
        if case .reading(let exchange, _) = state { exchange.bodyIncomplete() }
        state = .ended
    }

    private func take(_ inbound: Inbound, _ context: ChannelHandlerContext) {
        guard waiting.isEmpty, isItsTurn(inbound) else { return waiting.append(inbound) }
        handle(inbound, context)
    }

    private func takeWaiting(_ context: ChannelHandlerContext) {
        var isAnyPassedOn = false
        while let next = waiting.first, isItsTurn(next) {
            handle(waiting.removeFirst(), context)
            isAnyPassedOn = true
        }
        // What is behind this handler takes what it was given when a read is complete.
        if isAnyPassedOn { context.fireChannelReadComplete() }
        if isReadPutOff, waiting.count < Self.waitingMax {
            isReadPutOff = false
            context.read()
        }
    }

    /// A request waits for the response before it. So does what says that no more comes: the handlers behind this one close the
    /// connection then.
    private func isItsTurn(_ inbound: Inbound) -> Bool {
        switch (state, inbound) {
        case (.answering, _): false
        case (.open, .part(.head(let head))): passedOn == 0 || !responder.answers(head)
        default: true
        }
    }

    private func handle(_ inbound: Inbound, _ context: ChannelHandlerContext) {
        switch inbound {
        case .part(let part): handle(part, context)
        case .event(let event): context.fireUserInboundEventTriggered(event)
        case .failure(let error): context.fireErrorCaught(error)
        }
    }

    private func handle(_ part: HTTPRequestPart, _ context: ChannelHandlerContext) {
        switch (state, part) {
        case (.open, .head(let head)): receive(head, context)
        case (.open, _): context.fireChannelRead(wrapInboundOut(part))
        case (.reading(let exchange, var body), .body(var piece)):
            guard body.readableBytes + piece.readableBytes <= exchange.bodyLimit else {
                return answer(exchange.bodyTooLong(), then: .dropping, context)
            }
            // Most bodies come in one piece.
            if body.readableBytes == 0 { body = piece } else { body.writeBuffer(&piece) }
            state = .reading(exchange, body)
        case (.reading(let exchange, let body), .end): respond(exchange, to: body, context)
        case (.dropping, .end): state = .open
        case (.reading, .head), (.answering, _), (.dropping, _), (.ended, _): break
        }
    }

    private func receive(_ head: HTTPRequest, _ context: ChannelHandlerContext) {
        let decision = responder.answers(head) ? responder.receive(head, from: RequestPeer(context.channel)) : .pass
        if case .pass = decision {
            passedOn += 1
            return context.fireChannelRead(wrapInboundOut(.head(head)))
        }
        isLast = head.headerFields[.connection]?.isSame(ignoringCaseOf: "close") == true
        switch decision {
        case .pass: break
        case .answer(let response): answer(response, then: .dropping, context)
        case .read(let exchange):
            isBodyAwaited = head.headerFields[.expect] != nil
            state = .reading(exchange, ByteBuffer())
        }
    }

    private func respond(_ exchange: any EventLoopExchange, to body: ByteBuffer, _ context: ChannelHandlerContext) {
        state = .answering
        let (loop, own) = (context.eventLoop, NIOLoopBound((self, context), eventLoop: context.eventLoop))
        let executor = executor ?? EventLoopTaskExecutor(loop)
        self.executor = executor
        exchange.respond(to: body, executor: executor) { response in
            loop.execute {
                let (handler, context) = own.value
                guard handler.isConnected else { return }
                handler.answer(response, then: .open, context)
                handler.takeWaiting(context)
            }
        }
    }

    private func answer(_ response: WholeResponse, then next: State, _ context: ChannelHandlerContext) {
        state = isLast ? .ended : next
        var head = response.head
        head.headerFields[.date] = HTTPDate.now
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        if !response.body.isEmpty {
            context.write(wrapOutboundOut(.body(ByteBuffer(bytes: response.body))), promise: nil)
        }
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        if isLast { context.close(mode: .output, promise: nil) }
    }
}

/// Puts an ``EventLoopRequestHandler`` behind Hummingbird's handler of a connection's state, which is added after this one, as soon
/// as the connection has a request.
final class EventLoopRequestInstaller: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart

    private var responder: (any EventLoopResponder)?

    init(responder: (any EventLoopResponder)?) {
        self.responder = responder
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if let responder {
            self.responder = nil
            do {
                let pipeline = context.pipeline.syncOperations
                let state = try pipeline.handler(type: HTTPConnectionStateHandler.self)
                try pipeline.addHandler(EventLoopRequestHandler(responder: responder), position: .after(state))
            } catch {
                return context.close(promise: nil)
            }
        }
        context.fireChannelRead(data)
    }
}
