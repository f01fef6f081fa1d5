public import HTTPTypes
public import NIOCore

/// A response whose whole body is there.
public struct WholeResponse: Sendable {
    public var head: HTTPResponse
    /// The body. Responses with the same body share one buffer, which is not copied until it is encrypted.
    public let buffer: ByteBuffer

    /// The bytes of the body, copied.
    public var body: [UInt8] { Array(buffer.readableBytesView) }

    /// - Parameter head: without the body's length, which is added.
    public init(head: HTTPResponse, body: [UInt8]) {
        self.init(head: head, buffer: ByteBuffer(bytes: body))
    }

    /// - Parameter head: without the body's length, which is added.
    public init(head: HTTPResponse, buffer: ByteBuffer) {
        self.head = head
        self.buffer = buffer
        self.head.headerFields[.contentLength] = String(buffer.readableBytes)
    }
}
