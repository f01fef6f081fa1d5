import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOHTTPTypes
import PayrelayPrimitives

/// The body of the request that is being answered is wanted. An event for ``RequestLimitsHandler``.
public struct BodyWanted: Sendable {
    public init() {}
}

/// The one object of a connection that knows how far its request is, which deadline runs, and how many bytes the listener holds for it.
///
/// It ends connections whose clients are too slow or hold more than their share, and rejects heads that are too large and input that is
/// not HTTP: with 408, 503, 431 or 400 if a response is due, otherwise without. `Expect: 100-continue` is answered once the body is
/// wanted, so that a request that is refused by its head sends none (RFC 9110, 10.1.1).
final class RequestLimitsHandler: ChannelDuplexHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    /// What ``RequestGate`` may do with the next bytes.
    enum Turn { case read, wait, discard }

    private let capacity: ListenerCapacity
    private let limits: ListenerLimits
    private let connection: ConnectionHandler
    private var context: ChannelHandlerContext?
    private var progress = RequestProgress()
    private var timed: (deadline: RequestProgress.Deadline, timer: Scheduled<Void>)?
    /// The standing that the connection was last notified of.
    private var standing = TrackedChannel.Standing.idle
    /// Whether the last response was begun or written: nothing more is read for a request, or written.
    private var isOver = false
    /// Whether the present request has the connection option `close`.
    private var isCloseRequested = false
    /// Whether the connection ends with the response that was begun last, because the listener closes soon.
    private var isDraining = false
    /// Whether the listener closes.
    private var isQuiescing = false
    /// Whether the client may wait until it is told to send the body.
    private var isContinueAwaited = false
    /// How the responder wants the connection closed once the client has taken the answer.
    private var closing: CloseMode?
    /// The bytes of the body that the responder has or waits for.
    private var bodyBytes = 0
    /// How many bytes of this connection count for the listener.
    private var countedBytes = 0
    private var isEvictable = false
    /// The network of the request's sender; behind a proxy, as that reports.
    private var sender: PeerNetwork?

    /// The bytes that ``RequestGate`` holds.
    var waitingBytes = 0 {
        didSet { if waitingBytes != oldValue { count() } }
    }
    /// The bytes of a head that has not come whole.
    var headBytes = 0
    /// The first of them.
    var beginning: ByteBuffer?

    /// How long a client that has its last answer may go on sending. To close at once would answer that with a reset, which can take
    /// the answer away before it is read.
    static let lingering = TimeAmount.seconds(2)
    /// In bytes. A body that comes whole and is not longer is not counted.
    private static let smallBody = 16_384

    init(capacity: ListenerCapacity, connection: ConnectionHandler) {
        self.capacity = capacity
        limits = capacity.limits
        self.connection = connection
        connection.makeRoom = { self.makeRoom(for: $0) }
    }

    var isReceiving: Bool { progress.isReceiving }

    var turn: Turn {
        if isOver { return .discard }
        if isReceiving { return .read }
        return isDraining ? .discard : progress.mayBegin ? .read : .wait
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        time()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        timed?.timer.cancel()
        self.context = nil
    }

    // MARK: What comes in

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isOver else { return }
        switch unwrapInboundIn(data) {
        case .head(let request):
            beginning = nil
            headBytes = 0
            // The gate lets no other begin; if the decoder saw one all the same, the two do not agree where the first ended.
            guard progress.mayBegin else { return connection.cut() }
            progress.receiveHead()
            isCloseRequested = request.headerFields[.connection] == "close"
            isContinueAwaited = request.headerFields[.expect]?.isSame(ignoringCaseOf: "100-continue") == true
            if connection.held?.holder == nil { sender = sender(of: request, context) }
        case .body(let bytes):
            isContinueAwaited = false
            if progress.isBodyKept { bodyBytes += bytes.readableBytes }
            if bodyBytes > limits.bodyBytes, progress.isRefusable {
                return refuse(.bodyTooLarge(limit: limits.bodyBytes), context)
            }
        case .end:
            isContinueAwaited = false
            progress.receiveEnd()
        }
        context.fireChannelRead(data)
    }

    /// Most requests come whole, so that nothing has to be timed or counted.
    func channelReadComplete(context: ChannelHandlerContext) {
        update()
        context.fireChannelReadComplete()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard !isOver else { return }
        guard let rejection = rejection(error) else { return context.fireErrorCaught(error) }
        if progress.isRefusable {
            refuse(rejection, context)
        } else if isReceiving {
            // Not the error itself: Hummingbird would answer that, and the request has its answer.
            context.fireErrorCaught(ChannelError.inputClosed)
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard event is ChannelShouldQuiesceEvent else { return context.fireUserInboundEventTriggered(event) }
        isQuiescing = true
        if progress.mayBegin, waitingBytes == 0 { connection.cut() }
    }

    private func rejection(_ error: any Error) -> ListenerRejection? {
        switch error {
        case HTTPParserError.headerOverflow: .headersTooLarge
        case HTTPParserError.invalidMethod where beginning?.isRequestLine == true: .unknownMethod
        case is HTTPParserError: .malformedRequest
        default: nil
        }
    }

    private func sender(of request: HTTPRequest, _ context: ChannelHandlerContext) -> PeerNetwork? {
        context.channel.remoteAddress?.ipAddress.map {
            PeerNetwork(address: capacity.proxies.clientAddress(peer: $0, of: request.headerFields))
        }
    }

    // MARK: What goes out

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard !isOver else {
            promise?.fail(ChannelError.ioOnClosedChannel)
            return
        }
        if progress.unreadBytes > 0 {
            measure(context)
            // The client has taken all of it: its time for what is written now begins anew.
            if progress.unreadBytes == 0, timed?.deadline == .answer { stopTimer() }
        }
        switch unwrapOutboundIn(data) {
        case .head(let response) where response.status.kind != .informational:
            progress.beginAnswer()
            let isLast = isCloseRequested || endsSoon
            isDraining = isLast && !isCloseRequested
            context.write(isLast ? wrapOutboundOut(.head(response.endingConnection)) : data, promise: promise)
        case .end:
            progress.endAnswer()
            bodyBytes = 0
            let written = promise ?? context.eventLoop.makePromise()
            written.futureResult.assumeIsolated().whenComplete { _ in self.answerTaken() }
            context.write(data, promise: written)
        default: context.write(data, promise: promise)
        }
    }

    func flush(context: ChannelHandlerContext) {
        context.flush()
        guard !progress.mayBegin else { return }
        measure(context)
        update()
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        // The client has taken much of what waited: its time begins anew.
        if context.channel.isWritable, timed?.deadline == .answer { stopTimer() }
        measure(context)
        update()
        context.fireChannelWritabilityChanged()
    }

    /// Whether no other response follows on the connection, because the listener closes. What was sent before is answered.
    private var endsSoon: Bool { waitingBytes == 0 && (isQuiescing || capacity.isDraining()) }

    private func answerTaken() {
        progress.takeAnswer()
        guard let context, context.channel.isActive, !isOver else { return }
        update()
        if isDraining || isQuiescing, waitingBytes == 0 {
            context.close(mode: .output, promise: nil)
            return linger()
        }
        if let mode = closing {
            closing = nil
            context.close(mode: mode, promise: nil)
        }
        // The gate has the next request, or reads it.
        context.read()
    }

    /// Updates how many bytes the client has not taken, as the socket counts them: over TLS they are encrypted.
    private func measure(_ context: ChannelHandlerContext) {
        guard let options = context.channel.syncOptions,
            let bytes = try? options.getOption(.bufferedWritableBytes)
        else { return }
        progress.unreadBytes = bytes
    }

    func triggerUserOutboundEvent(context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?) {
        switch event {
        case is BodyWanted:
            if isContinueAwaited, !isOver {
                isContinueAwaited = false
                context.writeAndFlush(wrapOutboundOut(.head(HTTPResponse(status: .continue))), promise: nil)
            }
            promise?.succeed()
        case is ConnectionCut:
            connection.cut()
            promise?.succeed()
        default: context.triggerUserOutboundEvent(event, promise: promise)
        }
    }

    /// The responder closes the connection after the last response, and if a response breaks off. To close a connection whose client has
    /// closed its side discards what that client has not taken, so that waits until it has.
    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        guard mode != .input, context.channel.isActive else { return context.close(mode: mode, promise: promise) }
        if isOver {
            context.channel.closeFuture.cascade(to: promise)
        } else if progress.isEndUntaken {
            context.channel.closeFuture.cascade(to: promise)
            if closing != .all { closing = mode }
        } else {
            context.close(mode: mode, promise: promise)
        }
    }

    // MARK: Limits

    private func update() {
        time()
        count()
    }

    /// Ends the connection to make room. A request that is being answered is not ended.
    private func makeRoom(for reason: ListenerCapacity.Shed) {
        guard let context, context.channel.isActive, let held = connection.held else { return }
        // It has its last answer.
        if isOver { return connection.cut() }
        measure(context)
        update()
        let isToStay =
            switch reason {
            case .connection: progress.standing == .answering
            // It may have got rid of them since it was chosen.
            case .bytes: progress.standing == .answering || countedBytes == 0
            }
        guard !isToStay else {
            switch reason {
            case .connection: capacity.connections.spare(held)
            case .bytes:
                countedBytes = 0
                count()
            }
            return
        }
        if isReceiving, progress.isRefusable {
            refuse(.tooManyInFlight, context, lingers: false)
        } else {
            connection.cut()
        }
    }

    /// Updates the listener's counts.
    private func count() {
        guard let held = connection.held else { return }
        if standing != progress.standing {
            connection.change(from: standing, to: progress.standing)
            standing = progress.standing
        }
        let bytes = headBytes + bodyBytes + waitingBytes + progress.unreadBytes
        let mayBeEvicted = standing != .answering
        guard bytes > 0 else {
            if countedBytes > 0 { capacity.bytes.remove(held) }
            countedBytes = 0
            return
        }
        guard bytes != countedBytes || mayBeEvicted != isEvictable,
            mayBeEvicted || countedBytes > 0 || bytes > Self.smallBody, let sender = held.holder ?? sender
        else { return }
        countedBytes = bytes
        isEvictable = mayBeEvicted
        capacity.bytes.update(held, of: sender, bytes: bytes, isEvictable: mayBeEvicted)
    }

    /// Starts the timer of the current deadline, unless it runs already.
    private func time() {
        guard let context, !isOver, timed?.deadline != progress.deadline else { return }
        stopTimer()
        timed = progress.deadline.map { deadline in
            let limit =
                switch deadline {
                case .head: limits.headTimeout
                case .body, .answer: limits.bodyTimeout
                case .idle: limits.idleTimeout
                }
            let timer = context.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(limit)) {
                // To cancel what has run costs a search through the timers of all connections.
                self.timed = nil
                self.expire(deadline)
            }
            return (deadline, timer)
        }
    }

    private func stopTimer() {
        timed?.timer.cancel()
        timed = nil
    }

    private func expire(_ deadline: RequestProgress.Deadline) {
        guard let context else { return }
        switch deadline {
        case .body where progress.isRefusable: refuse(.requestTooSlow, context)
        case .answer:
            measure(context)
            if progress.isUnread { connection.cut() } else { update() }
        case .body, .head, .idle: context.close(promise: nil)
        }
    }

    /// - Parameter lingers: whether the client gets time to read the answer.
    private func refuse(_ rejection: ListenerRejection, _ context: ChannelHandlerContext, lingers: Bool = true) {
        isOver = true
        let response = capacity.respond(rejection)
        context.write(wrapOutboundOut(.head(response.head.endingConnection)), promise: nil)
        context.write(wrapOutboundOut(.body(response.buffer)), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        // Hummingbird takes the end of the input for the end of the body: what has come of it is not all of it.
        if isReceiving { context.fireErrorCaught(ChannelError.inputClosed) }
        guard lingers else { return connection.cut() }
        context.close(mode: .output, promise: nil)
        linger()
    }

    /// Reads what still arrives for a while, and discards it.
    private func linger() {
        isOver = true
        guard let context else { return }
        stopTimer()
        let timer = context.eventLoop.assumeIsolated().scheduleTask(in: Self.lingering) { self.connection.cut() }
        timed = (.answer, timer)
        // The gate discards what it has.
        context.read()
    }
}

extension HTTPResponse {
    /// The response with the connection option `close` (RFC 9112, 9.6).
    fileprivate var endingConnection: HTTPResponse {
        var response = self
        response.headerFields[.connection] = "close"
        return response
    }
}

extension ByteBuffer {
    /// Whether it begins with a request line of HTTP/1, whatever the method.
    fileprivate var isRequestLine: Bool {
        let line = readableBytesView.prefix { $0 != UInt8(ascii: "\r") }
        let parts = line.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
        return parts.count == 3 && (1...32).contains(parts[0].count) && parts[0].allSatisfy(\.isHTTPTokenByte)
            && !parts[1].isEmpty
            && (parts[2].elementsEqual("HTTP/1.1".utf8) || parts[2].elementsEqual("HTTP/1.0".utf8))
    }
}
