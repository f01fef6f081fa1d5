public import HTTPTypes
public import NIOCore

/// The answer to a request: a head, and the body as bytes or as a stream.
public struct Answer: Sendable {
    /// Writes a piece of a stream. It returns once the client has taken most of the pieces before.
    public typealias Write = (ByteBuffer) async throws -> Void

    public enum Body: Sendable {
        /// The whole body. Answers with the same body share one buffer, which is not copied until it is encrypted.
        case bytes(ByteBuffer)
        /// A body that is sent while it is made, since it may be too long to be held in memory. If it throws, the connection ends without
        /// the end of the body.
        case stream(@Sendable (_ write: Write) async throws -> Void)
    }

    public var head: HTTPResponse
    public let body: Body

    /// - Parameter head: without the body's length, which is added.
    public init(head: HTTPResponse, body: [UInt8]) {
        self.init(head: head, buffer: ByteBuffer(bytes: body))
    }

    /// - Parameter head: without the body's length, which is added.
    public init(head: HTTPResponse, buffer: ByteBuffer) {
        self.head = head
        body = .bytes(buffer)
        self.head.headerFields[.contentLength] = String(buffer.readableBytes)
    }

    public init(head: HTTPResponse, stream: @escaping @Sendable (_ write: Write) async throws -> Void) {
        self.head = head
        body = .stream(stream)
    }

    /// The whole body; empty for a stream.
    public var buffer: ByteBuffer {
        if case .bytes(let buffer) = body { buffer } else { ByteBuffer() }
    }

    /// The bytes of the whole body, copied; none for a stream.
    public var bytes: [UInt8] { Array(buffer.readableBytesView) }
}
