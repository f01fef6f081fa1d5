import PayrelayPrimitives

/// A complete HTTP response with any status. Redirects are not followed but returned like any other response.
public struct OutboundAnswer: Sendable {
    /// The status code (RFC 9110, 15).
    public let status: Int
    let header: AnswerHeader
    public let body: [UInt8]
    /// Whether the request used a connection that was kept alive after an earlier request.
    public let reusedConnection: Bool

    /// Creates an artificial response, for tests and simulations.
    public init(status: Int, body: [UInt8], headers: [(name: String, value: String)] = []) {
        self.init(status: status, header: AnswerHeader(headers), body: body, reusedConnection: false)
    }

    init(status: Int, header: AnswerHeader, body: [UInt8], reusedConnection: Bool) {
        self.status = status
        self.header = header
        self.body = body
        self.reusedConnection = reusedConnection
    }

    /// The header fields in the order in which they were received, without trailer fields. Parsed at each access.
    public var headers: [(name: String, value: String)] { header.fields }

    /// Returns the value of the first header field with this name. The name is case-insensitive (RFC 9110, 5.1).
    public func header(_ name: String) -> String? {
        headers.first { $0.name.isSame(ignoringCaseOf: name) }?.value
    }
}
