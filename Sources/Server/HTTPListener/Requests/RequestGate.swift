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
    /// Requests that were handed on without a pause.
    private var inARow = 0

    /// After so many requests in a row the event loop's other connections have their turn.
    private static let inARowMax = 16

    init(limits: RequestLimitsHandler) {
        self.limits = limits
    }

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
        if held.readableBytes > 0, !isPassing, limits.turn != .wait, inARow < Self.inARowMax {
            pass(context)
            context.fireChannelReadComplete()
        }
        isReadPutOff = held.readableBytes > 0
        if !isReadPutOff { context.read() }
    }

    private func pass(_ context: ChannelHandlerContext) {
        guard !isPassing else { return }
        isPassing = true
        while held.readableBytes > 0, inARow < Self.inARowMax {
            if isFinished || limits.turn == .discard { held.clear() }
            guard limits.turn == .read else { break }
            if !isInHead, !limits.isReceiving {
                limits.beginning = held
                inARow += 1
            }
            guard let piece = held.readSlice(length: nextLength()) else { break }
            if isInHead { limits.headBytes += piece.readableBytes }
            context.fireChannelRead(wrapInboundOut(piece))
        }
        isPassing = false
        // Not a part of a larger buffer that was read.
        if held.readableBytes == 0 { held = ByteBuffer() }
        limits.waitingBytes = held.readableBytes
        if held.readableBytes > 0, inARow == Self.inARowMax { return rest(context) }
        guard held.readableBytes == 0 else { return }
        inARow = 0
        if isInputClosed {
            isInputClosed = false
            context.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        }
    }

    /// A loop reads from no connection while anything is to be run at once, so what waits goes on a moment later.
    private func rest(_ context: ChannelHandlerContext) {
        context.eventLoop.assumeIsolated().scheduleTask(in: .milliseconds(1)) {
            self.inARow = 0
            guard context.channel.isActive, self.held.readableBytes > 0 else { return }
            self.pass(context)
            context.fireChannelReadComplete()
            if self.isReadPutOff, self.held.readableBytes == 0 { self.read(context: context) }
        }
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
