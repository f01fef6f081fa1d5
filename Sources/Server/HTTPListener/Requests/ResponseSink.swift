import HTTPTypes
import HummingbirdCore
import NIOCore
import NIOHTTPTypes

/// Where the task of a request leaves its response.
struct ResponseSink: Sendable {
    let loop: any EventLoop
    let own: NIOLoopBound<(RequestHandler, ChannelHandlerContext)>

    /// A body of known length goes out at once with its head. Another is sent while it is made; where that fails, the connection ends
    /// without the end of the body.
    func send(_ response: Response) async {
        var head = response.head
        head.headerFields[.date] = HTTPDate.now
        do {
            if response.body.contentLength != nil {
                let whole = WholeBody()
                try await response.body.write(whole)
                let (head, body) = (head, whole.bytes)
                onLoop { $0.send(head, body, $1) }
            } else {
                try await send(.head(head))
                try await response.body.write(BodyStream(sink: self))
            }
        } catch {
            onLoop { $1.close(promise: nil) }
        }
    }

    func send(_ part: HTTPResponsePart) async throws {
        try await loop.flatSubmit { own.value.0.send(part, own.value.1) }.get()
    }

    private func onLoop(_ act: @escaping @Sendable (RequestHandler, ChannelHandlerContext) -> Void) {
        if loop.inEventLoop { return act(own.value.0, own.value.1) }
        loop.execute { act(own.value.0, own.value.1) }
    }
}

private struct BodyStream: ResponseBodyWriter {
    let sink: ResponseSink

    func write(_ buffer: ByteBuffer) async throws { try await sink.send(.body(buffer)) }
    consuming func finish(_ trailers: HTTPFields?) async throws { try await sink.send(.end(trailers)) }
}

private final class WholeBody: ResponseBodyWriter {
    /// Nil where there are none.
    private(set) var bytes: ByteBuffer?

    func write(_ buffer: ByteBuffer) async throws {
        var buffer = buffer
        if bytes?.writeBuffer(&buffer) == nil, buffer.readableBytes > 0 { bytes = buffer }
    }

    func finish(_ trailers: HTTPFields?) async throws {}
}
