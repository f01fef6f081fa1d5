public import HTTPTypes
public import NIOCore

/// The response to a request: a head, and a body that is either bytes or a stream.
public struct Answer: Sendable {
    /// Writes a part of a stream. Returns when the client has taken most of the earlier parts.
    public typealias Write = (ByteBuffer) async throws -> Void

    public enum Body: Sendable {
        /// The whole body. Responses with the same body share one buffer, which is not copied until it is
        /// encrypted.
        case bytes(ByteBuffer)
        /// A body that is sent while it is produced, because it may be too long to be held in memory. If the
        /// closure throws, the connection is closed without the end of the body.
        case stream(@Sendable (_ write: Write) async throws -> Void)
    }

    public var head: HTTPResponse
    public let body: Body

    /// - Parameter head: the head without `Content-Length`, which is added.
    public init(head: HTTPResponse, body: [UInt8]) {
        self.init(head: head, buffer: ByteBuffer(bytes: body))
    }

    /// - Parameter head: the head without `Content-Length`, which is added.
    public init(head: HTTPResponse, buffer: ByteBuffer) {
        self.head = head
        body = .bytes(buffer)
        self.head.headerFields[.contentLength] = String(buffer.readableBytes)
    }

    public init(head: HTTPResponse, stream: @escaping @Sendable (_ write: Write) async throws -> Void) {
        self.head = head
        body = .stream(stream)
    }

    /// The whole body; an empty buffer for a stream.
    public var buffer: ByteBuffer {
        if case .bytes(let buffer) = body { buffer } else { ByteBuffer() }
    }

    /// A copy of the bytes of the whole body; empty for a stream.
    public var bytes: [UInt8] { Array(buffer.readableBytesView) }
}
