import NIOCore
import NIOHPACK
import NIOHTTP2

/// Ends the stream of an HTTP/2 response with its last frame, in place of an empty one behind that (RFC 9113, 8.1).
///
/// libcurl 7.88, which is Debian 12's, takes a response for whole by its `Content-Length`, and resets a stream whose end it has
/// not seen by then. NIO takes many resets for an attack: it closes the connection, and all its requests fail.
final class StreamEndHandler: ChannelOutboundHandler {
    typealias OutboundIn = HTTP2Frame.FramePayload
    typealias OutboundOut = HTTP2Frame.FramePayload

    /// How many bytes of the body are still to be written; nil where that is not known.
    private var left: Int?
    private var hasEnded = false

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .headers(var headers) where !headers.endStream && !hasEnded:
            left = headers.headers.first(name: "content-length").flatMap { Int($0) }
            if left == 0 || Self.hasNoBody(headers) { (headers.endStream, hasEnded) = (true, true) }
            context.write(wrapOutboundOut(.headers(headers)), promise: promise)
        case .data(let frame) where hasEnded && frame.endStream && frame.data.readableBytes == 0:
            // The end is on its way already.
            promise?.succeed()
        case .data(var frame) where !frame.endStream && !hasEnded:
            left = left.map { $0 - frame.data.readableBytes }
            if left == 0 { (frame.endStream, hasEnded) = (true, true) }
            context.write(wrapOutboundOut(.data(frame)), promise: promise)
        default: context.write(data, promise: promise)
        }
    }

    /// RFC 9110, 6.4.1.
    private static func hasNoBody(_ headers: HTTP2Frame.FramePayload.Headers) -> Bool {
        ["204", "304"].contains(headers.headers.first(name: ":status"))
    }
}
