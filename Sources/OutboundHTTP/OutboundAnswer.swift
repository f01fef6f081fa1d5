/// A complete HTTP answer, of whatever status. Redirects are answers like any other: they are never followed.
public struct OutboundAnswer: Sendable {
    /// Where the time went, counted from the start of the transfer.
    public struct Timings: Sendable, Equatable {
        /// Until the connection was ready, TLS included; next to nothing where it was kept alive from before.
        public let connected: Duration
        /// Until the first byte of the answer.
        public let firstByte: Duration
        /// Until the last byte of the answer.
        public let total: Duration
    }

    /// The status code (RFC 9110, 15).
    public let status: Int
    /// The header fields in the order received. Trailer fields are not among them.
    public let headers: [(name: String, value: String)]
    public let body: [UInt8]
    public let timings: Timings
    /// Whether the request went over a connection kept alive from an earlier one.
    public let reusedConnection: Bool

    /// The value of the first header field of this name; case does not matter (RFC 9110, 5.1).
    public func header(_ name: String) -> String? {
        let wanted = name.lowercased()
        return headers.first { $0.name.lowercased() == wanted }?.value
    }
}
