/// Sends requests to the relay and receives the responses. The library's own implementation is
/// ``URLSessionTransport``.
public protocol RelayTransport: Sendable {
    /// Sends a request once.
    ///
    /// - Throws: ``TransportFailure``. If the task is cancelled, this method returns immediately.
    func send(_ request: TransportRequest) async throws(TransportFailure) -> TransportResponse
}

/// A request to the relay. Its body and its `Authorization` are secrets.
public struct TransportRequest: Sendable {
    /// The method: `GET` or `POST`.
    public let method: String
    /// The absolute URL.
    public let url: String
    /// The header fields, in their order.
    public let headers: [(name: String, value: String)]
    /// The body in UTF-8 JSON; `nil` for `GET`.
    public let body: [UInt8]?
    /// The time limit for the whole exchange, in seconds.
    public let timeout: Double

    /// Creates a request with these parts.
    public init(
        method: String, url: String, headers: [(name: String, value: String)], body: [UInt8]?, timeout: Double
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.timeout = timeout
    }
}

/// A response from the relay, or from a proxy in front of it.
public struct TransportResponse: Sendable {
    /// The HTTP status.
    public let status: Int
    /// The value of `Retry-After` in seconds, if it was a number of seconds.
    public let retryAfter: Double?
    /// The body as it was received, without a content encoding.
    public let body: [UInt8]

    /// - Parameters:
    ///   - status: the HTTP status.
    ///   - retryAfter: the value of the header field. A date is ignored, because the phone's clock may be wrong.
    ///   - body: the body as it was received, without a content encoding.
    public init(status: Int, retryAfter: String? = nil, body: [UInt8]) {
        self.status = status
        // At most an hour, because no call waits longer.
        self.retryAfter = retryAfter.flatMap { UInt16($0) }.map { min(Double($0), 3_600) }
        self.body = body
    }
}

/// Why a request has no response.
public enum TransportFailure: Error, Sendable, Hashable {
    /// No byte of the request can have reached the relay: there is no network, no such host, or no connection.
    case notSent(String)
    /// The request may have arrived: the connection broke, or the time limit passed.
    case lost(String)
    /// The server is not trusted, or its TLS is not acceptable. Nothing was sent.
    case insecure(String)
}
