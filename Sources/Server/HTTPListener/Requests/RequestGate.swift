import NIOCore
import NIOHTTP1
import PayrelayPrimitives

/// Hands the decoder the bytes of one request at a time.
///
/// The next request is read once the one before it is answered and the client has taken the answer. So a connection never has more
/// than one request, and what one read of the socket brought beyond it waits here as bytes, which take a fraction of the memory of
/// decoded requests. While bytes wait, the socket is not read.
///
/// The end of a head is the first empty line; the length of a body is what the decoder read in the head. A body in chunks is handed on in
/// pieces that end with an empty line, as the body does.
final class RequestGate: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = ByteBuffer

    private let limits: RequestLimitsHandler
    private let connection: ConnectionHandler
    private let turns: RequestTurns
    private var context: ChannelHandlerContext?
    private var held = ByteBuffer()
    /// The rest of a body whose length is known, in bytes.
    private var bodyRest = 0
    /// How many bytes of CR LF CR LF were handed on last.
    private var emptyLine = 0
    /// Whether the decoder has the beginning of a head.
    private var isInHead = false
    /// Whether the last request of the connection was read.
    private var isFinished = false
    /// Whether the client has closed its side, and bytes of it wait here.
    private var isInputClosed = false
    private var isReadPutOff = false
    private var isPassing = false
    /// Whether the next request waits for its turn among those of other connections.
    private var isQueued = false

    init(limits: RequestLimitsHandler, connection: ConnectionHandler, turns: RequestTurns) {
        self.limits = limits
        self.connection = connection
        self.turns = turns
    }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    /// The decoder has read a head.
    func begin(_ request: HTTPRequestHead) {
        guard !request.headers.contains(name: "Transfer-Encoding") else { return }
        bodyRest = request.headers.first(name: "Content-Length").flatMap { Int($0.trimmedOfSpaces) } ?? 0
    }

    /// Drops what follows: the last request of the connection was read.
    func finish() {
        isFinished = true
        held.clear()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var bytes = unwrapInboundIn(data)
        if held.readableBytes == 0 { held = bytes } else { held.writeBuffer(&bytes) }
        pass(context)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard event as? ChannelEvent == .inputClosed, held.readableBytes > 0 else {
            return context.fireUserInboundEventTriggered(event)
        }
        isInputClosed = true
    }

    /// To be called, too, when a request may have become the next.
    func read(context: ChannelHandlerContext) {
        if held.readableBytes > 0, !isPassing, !isQueued, limits.turn != .wait {
            pass(context)
            context.fireChannelReadComplete()
        }
        isReadPutOff = held.readableBytes > 0
        if !isReadPutOff { context.read() }
    }

    private func pass(_ context: ChannelHandlerContext, hasTurn: Bool = false) {
        guard !isPassing, !isQueued else { return }
        isPassing = true
        var hasTurn = hasTurn
        while held.readableBytes > 0 {
            if isFinished || limits.turn == .discard { held.clear() }
            guard limits.turn == .read else { break }
            if !isInHead, !limits.isReceiving {
                isQueued = !hasTurn && !turns.mayBegin(self, of: connection.held?.holder)
                guard !isQueued else { break }
                hasTurn = false
                limits.beginning = held
            }
            guard let piece = held.readSlice(length: nextLength()) else { break }
            if isInHead { limits.headBytes += piece.readableBytes }
            context.fireChannelRead(wrapInboundOut(piece))
        }
        isPassing = false
        // Not a part of a larger buffer that was read.
        if held.readableBytes == 0 { held = ByteBuffer() }
        limits.waitingBytes = held.readableBytes
        if held.readableBytes == 0, isInputClosed {
            isInputClosed = false
            context.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        }
    }

    /// Hands the next request on.
    ///
    /// - Returns: false if the connection has none any more.
    func takeTurn() -> Bool {
        isQueued = false
        guard let context, context.channel.isActive, held.readableBytes > 0 else { return false }
        pass(context, hasTurn: true)
        context.fireChannelReadComplete()
        if isReadPutOff, held.readableBytes == 0 { read(context: context) }
        return true
    }

    /// The number of bytes up to the end of the head or the body, or up to the next empty line of a body in chunks; all bytes if they do
    /// not reach so far.
    private func nextLength() -> Int {
        let count = held.readableBytes
        if bodyRest > 0 {
            let length = min(bodyRest, count)
            bodyRest -= length
            return length
        }
        isInHead = !limits.isReceiving
        let end = held.withUnsafeReadableBytes { bytes in
            bytes.firstIndex { byte in
                switch (byte, emptyLine) {
                case (UInt8(ascii: "\r"), 2): emptyLine = 3
                case (UInt8(ascii: "\r"), _): emptyLine = 1
                case (UInt8(ascii: "\n"), 1), (UInt8(ascii: "\n"), 3): emptyLine += 1
                default: emptyLine = 0
                }
                return emptyLine == 4
            }
        }
        guard let end else { return count }
        (emptyLine, isInHead) = (0, false)
        return end + 1
    }
}
