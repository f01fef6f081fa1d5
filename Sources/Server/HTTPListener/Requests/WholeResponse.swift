public import HTTPTypes

/// A response whose whole body is there.
public struct WholeResponse: Sendable {
    public var head: HTTPResponse
    public let body: [UInt8]

    /// - Parameter head: without the body's length, which is added.
    public init(head: HTTPResponse, body: [UInt8]) {
        self.head = head
        self.body = body
        self.head.headerFields[.contentLength] = String(body.count)
    }
}
