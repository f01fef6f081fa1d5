/// Carries one request to the relay and brings one answer. The library's own is ``URLSessionTransport``.
public protocol RelayTransport: Sendable {
    /// Sends it once.
    ///
    /// - Throws: ``TransportFailure``. A cancelled task makes it return at once.
    func send(_ request: TransportRequest) async throws(TransportFailure) -> TransportResponse
}

/// A request to the relay. Its body and its `Authorization` are secrets.
public struct TransportRequest: Sendable {
    /// `GET` or `POST`.
    public let method: String
    /// An absolute URL.
    public let url: String
    /// In their order.
    public let headers: [(name: String, value: String)]
    /// UTF-8 JSON; nil for `GET`.
    public let body: [UInt8]?
    /// In seconds, for the whole exchange.
    public let timeout: Double

    /// A request of these parts.
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

/// An answer of the relay, or of what stands before it.
public struct TransportResponse: Sendable {
    /// The HTTP status.
    public let status: Int
    /// The value of `Retry-After` in seconds, where it was a number of them.
    public let retryAfter: Double?
    /// As it came, without a content encoding.
    public let body: [UInt8]

    /// - Parameters:
    ///   - status: the HTTP status.
    ///   - retryAfter: the value of the header field. A date is not read: the phone's clock may be wrong.
    ///   - body: as it came, without a content encoding.
    public init(status: Int, retryAfter: String? = nil, body: [UInt8]) {
        self.status = status
        // An hour at most: no call waits longer.
        self.retryAfter = retryAfter.flatMap { UInt16($0) }.map { min(Double($0), 3_600) }
        self.body = body
    }
}

/// Why a request has no answer.
public enum TransportFailure: Error, Sendable, Hashable {
    /// No byte of the request can have reached the relay: no network, no such host, no connection.
    case notSent(String)
    /// It may have arrived: the connection broke, or the time was over.
    case lost(String)
    /// The server is not trusted, or does not speak TLS as it should. Nothing was sent.
    case insecure(String)
}
