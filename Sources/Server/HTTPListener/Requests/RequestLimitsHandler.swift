import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOHTTPTypes
import PayrelayPrimitives

/// Signals that the responder wants the body of the current request. An event for ``RequestLimitsHandler``.
public struct BodyWanted: Sendable {
    public init() {}
}

/// The handler that tracks a connection's request: its progress, its current deadline, and the bytes that the
/// listener holds for it.
///
/// - It closes connections whose clients are too slow or hold more than their share.
/// - It rejects heads that are too large, and input that is not HTTP.
/// - If a response is still possible, it answers with 408, 503, 431 or 400; otherwise it closes the connection
///   without one.
/// - It answers `Expect: 100-continue` only when the responder wants the body. So a client whose request is
///   rejected by its head does not send the body (RFC 9110, 10.1.1).
final class RequestLimitsHandler: ChannelDuplexHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    /// The decision of ``RequestGate`` about the next bytes.
    enum Turn { case read, wait, discard }

    private let capacity: ListenerCapacity
    private let limits: ListenerLimits
    private let connection: ConnectionHandler
    private var context: ChannelHandlerContext?
    private var progress = RequestProgress()
    private var timed: (deadline: RequestProgress.Deadline, timer: Scheduled<Void>)?
    /// The state that was last reported to ``ConnectionHandler``.
    private var standing = TrackedChannel.Standing.idle
    /// Whether the last response of the connection has begun. After that no request is read, and no other
    /// response is written.
    private var isOver = false
    /// Whether the current request has the connection option `close`.
    private var isCloseRequested = false
    /// Whether the connection ends with the response that was begun last, because the listener closes soon.
    private var isDraining = false
    /// Whether the listener is closing.
    private var isQuiescing = false
    /// Whether the client may be waiting for 100 (Continue) before it sends the body.
    private var isContinueAwaited = false
    /// How the responder wants the connection closed after the client has taken the response.
    private var closing: CloseMode?
    /// The size of the body that the responder has received or waits for, in bytes.
    private var bodyBytes = 0
    /// The number of bytes that ``ListenerCapacity`` counts for this connection.
    private var countedBytes = 0
    private var isEvictable = false
    /// The network of the request's sender. Behind a trusted proxy, it is the network that the proxy reports.
    private var sender: PeerNetwork?

    /// The number of bytes that wait in ``RequestGate``.
    var waitingBytes = 0 {
        didSet { if waitingBytes != oldValue { count() } }
    }
    /// The size of a head that has not arrived completely, in bytes.
    var headBytes = 0
    /// The first bytes of that head.
    var beginning: ByteBuffer?

    /// How long a client may go on sending after it got its last response. If the socket were closed immediately,
    /// those bytes would cause a reset, which can make the client lose the response before reading it.
    static let lingering = TimeAmount.seconds(2)
    /// A size in bytes. A body that arrives at once and is not longer is not counted.
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

    // MARK: Inbound

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isOver else { return }
        switch unwrapInboundIn(data) {
        case .head(let request):
            beginning = nil
            headBytes = 0
            // The gate passes on only one request. If the decoder nevertheless saw another, the two disagree
            // about where the first one ends, so the connection is closed.
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

    /// Most requests have arrived completely by now, so they need neither a timer nor a count.
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
            // Hummingbird would answer the original error, but this request already has its response.
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

    // MARK: Outbound

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard !isOver else {
            promise?.fail(ChannelError.ioOnClosedChannel)
            return
        }
        if progress.unreadBytes > 0 {
            measure(context)
            // The client has taken all earlier bytes, so the time limit for the bytes that are written now starts
            // anew.
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
        // The client has taken many of the waiting bytes, so its time limit starts anew.
        if context.channel.isWritable, timed?.deadline == .answer { stopTimer() }
        measure(context)
        update()
        context.fireChannelWritabilityChanged()
    }

    /// Whether the next response is the last one of the connection because the listener closes soon. Requests
    /// that have already arrived are still answered.
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
        // The gate passes on the next request if it has one, and reads from the socket otherwise.
        context.read()
    }

    /// Updates the number of bytes that the client has not taken. The socket's count is used, so over TLS these
    /// are encrypted bytes.
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

    /// Closes the connection, which the responder does after the last response or when a response breaks off. If
    /// the client has already closed its side, closing discards the bytes that the client has not taken. So the
    /// connection is closed only after the client has taken the whole response.
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

    /// Closes the connection to make room for others, unless its request is being answered.
    private func makeRoom(for reason: ListenerCapacity.Shed) {
        guard let context, context.channel.isActive, let held = connection.held else { return }
        // The client already has its last response.
        if isOver { return connection.cut() }
        measure(context)
        update()
        let isToStay =
            switch reason {
            case .connection: progress.standing == .answering
            // The bytes may have been released since the connection was chosen.
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

    /// Updates the listener's counts for this connection.
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

    /// Starts the timer for the current deadline, unless that timer is already running.
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
                // The timer has run. Cancelling it later would cost a search through the timers of all
                // connections.
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

    /// Answers with the rejection and closes the connection.
    ///
    /// - Parameter lingers: whether the client gets time to read the response.
    private func refuse(_ rejection: ListenerRejection, _ context: ChannelHandlerContext, lingers: Bool = true) {
        isOver = true
        let response = capacity.respond(rejection)
        context.write(wrapOutboundOut(.head(response.head.endingConnection)), promise: nil)
        context.write(wrapOutboundOut(.body(response.buffer)), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        // Hummingbird takes the end of the input for the end of the body, so it is notified that the body is
        // incomplete.
        if isReceiving { context.fireErrorCaught(ChannelError.inputClosed) }
        guard lingers else { return connection.cut() }
        context.close(mode: .output, promise: nil)
        linger()
    }

    /// Reads and discards for a while what the client still sends, then closes the connection.
    private func linger() {
        isOver = true
        guard let context else { return }
        stopTimer()
        let timer = context.eventLoop.assumeIsolated().scheduleTask(in: Self.lingering) { self.connection.cut() }
        timed = (.answer, timer)
        // Makes the gate discard the bytes that it holds.
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
    /// Whether the bytes begin with a request line of HTTP/1, whatever the method.
    fileprivate var isRequestLine: Bool {
        let line = readableBytesView.prefix { $0 != UInt8(ascii: "\r") }
        let parts = line.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
        return parts.count == 3 && (1...32).contains(parts[0].count) && parts[0].allSatisfy(\.isHTTPTokenByte)
            && !parts[1].isEmpty
            && (parts[2].elementsEqual("HTTP/1.1".utf8) || parts[2].elementsEqual("HTTP/1.0".utf8))
    }
}
