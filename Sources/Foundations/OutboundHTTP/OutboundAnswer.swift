import PayrelayPrimitives

/// A complete HTTP answer of any status. Redirects are not followed: they are answers too.
public struct OutboundAnswer: Sendable {
    /// The status code (RFC 9110, 15).
    public let status: Int
    let header: AnswerHeader
    public let body: [UInt8]
    /// Whether the request went over a connection kept alive from an earlier one.
    public let reusedConnection: Bool

    /// An answer that is made up, in tests and simulations.
    public init(status: Int, body: [UInt8], headers: [(name: String, value: String)] = []) {
        self.init(status: status, header: AnswerHeader(headers), body: body, reusedConnection: false)
    }

    init(status: Int, header: AnswerHeader, body: [UInt8], reusedConnection: Bool) {
        self.status = status
        self.header = header
        self.body = body
        self.reusedConnection = reusedConnection
    }

    /// The header fields in the order received. Trailer fields are not among them. Read anew each time.
    public var headers: [(name: String, value: String)] { header.fields }

    /// The value of the first header field of this name; case does not matter (RFC 9110, 5.1).
    public func header(_ name: String) -> String? {
        headers.first { $0.name.isSame(ignoringCaseOf: name) }?.value
    }
}
