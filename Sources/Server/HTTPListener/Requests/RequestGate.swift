import NIOCore
import NIOHTTP1
import PayrelayPrimitives

/// A handler that passes the bytes of one request at a time to the decoder.
///
/// The next request is passed on when the previous request is answered and the client has taken the response. So
/// a connection never has more than one decoded request. Further bytes from the same read of the socket wait here
/// undecoded, which takes a fraction of the memory of decoded requests. While bytes wait, the socket is not read.
///
/// How the end of a request is found:
///
/// - The head ends with the first empty line.
/// - The length of a body is the `Content-Length` that the decoder read in the head.
/// - A body in chunks ends with an empty line, so it is passed on in pieces that each end with an empty line.
final class RequestGate: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = ByteBuffer

    private let limits: RequestLimitsHandler
    private let connection: ConnectionHandler
    private let turns: RequestTurns
    private var context: ChannelHandlerContext?
    private var held = ByteBuffer()
    /// The number of bytes that are missing of a body whose length is known.
    private var bodyRest = 0
    /// The number of bytes of CR LF CR LF with which the bytes passed on so far end.
    private var emptyLine = 0
    /// Whether the decoder has the beginning of a head, but not its end.
    private var isInHead = false
    /// Whether the last request of the connection was read.
    private var isFinished = false
    /// Whether the client has closed its side of the connection while bytes from it wait here.
    private var isInputClosed = false
    private var isReadPutOff = false
    private var isPassing = false
    /// Whether the next request waits for its turn among the requests of other connections.
    private var isQueued = false

    init(limits: RequestLimitsHandler, connection: ConnectionHandler, turns: RequestTurns) {
        self.limits = limits
        self.connection = connection
        self.turns = turns
    }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    /// Records the framing of the request whose head the decoder has read.
    func begin(_ request: HTTPRequestHead) {
        guard !request.headers.contains(name: "Transfer-Encoding") else { return }
        bodyRest = request.headers.first(name: "Content-Length").flatMap { Int($0.trimmedOfSpaces) } ?? 0
    }

    /// Discards all further bytes, because the last request of the connection was read.
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

    /// Also called when the next request may have become due.
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
        // Releases the large buffer that was read, of which the bytes were a part.
        if held.readableBytes == 0 { held = ByteBuffer() }
        limits.waitingBytes = held.readableBytes
        if held.readableBytes == 0, isInputClosed {
            isInputClosed = false
            context.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        }
    }

    /// Passes the next request to the decoder.
    ///
    /// - Returns: false if the connection is closed or has no bytes waiting.
    func takeTurn() -> Bool {
        isQueued = false
        guard let context, context.channel.isActive, held.readableBytes > 0 else { return false }
        pass(context, hasTurn: true)
        context.fireChannelReadComplete()
        if isReadPutOff, held.readableBytes == 0 { read(context: context) }
        return true
    }

    /// Returns the number of bytes up to the end of the head or of the body, or up to the next empty line of a
    /// body in chunks. Returns the number of all bytes if the end is not among them.
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
