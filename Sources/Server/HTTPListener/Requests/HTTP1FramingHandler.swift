import NIOCore
import NIOHTTP1
import PayrelayPrimitives

/// A body that is announced to be longer than any that is read.
struct BodyTooLargeError: Error {}

/// Before the HTTP/1.1 decoder, for what that does not report: a chunk that is too long is refused when its size is announced, and
/// an unknown method is distinguished from input that is not HTTP.
final class HTTP1FramingHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private var framing: HTTP1Framing
    /// The bytes in the decoder at the moment, if a request begins with them; otherwise nil.
    private var beginning: ByteBuffer?
    /// Whether the decoder gets nothing more.
    private var isFinished = false

    init(bodyBytesMax: Int) {
        framing = HTTP1Framing(bodyBytesMax: bodyBytesMax)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var buffer = unwrapInboundIn(data)
        while buffer.readableBytes > 0, !isFinished {
            let isBeginning = framing.isAtStart
            guard let count = buffer.withUnsafeReadableBytes({ framing.advance(over: $0) }) else {
                finish()
                return context.fireErrorCaught(BodyTooLargeError())
            }
            // Most bodies end with what was read.
            let piece = count == buffer.readableBytes ? buffer : buffer.getSlice(at: buffer.readerIndex, length: count)
            guard let piece else { return }
            buffer.moveReaderIndex(forwardBy: count)
            if isBeginning { beginning = piece }
            context.fireChannelRead(wrapInboundOut(piece))
            beginning = nil
        }
    }

    func begin(_ request: HTTPRequestHead) { framing.begin(request) }

    /// What comes from now on is dropped.
    func finish() { isFinished = true }

    /// Whether what the decoder has just refused is a request line with a method that it does not know.
    var isUnknownMethod: Bool {
        guard let line = beginning?.readableBytesView.prefix(while: { $0 != UInt8(ascii: "\r") }) else { return false }
        let parts = line.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
        return parts.count == 3 && (1...32).contains(parts[0].count) && parts[0].allSatisfy(\.isHTTPTokenByte)
            && !parts[1].isEmpty
            && (parts[2].elementsEqual("HTTP/1.1".utf8) || parts[2].elementsEqual("HTTP/1.0".utf8))
    }
}
