/// The limits of a listener, for all clients together and for each client.
public struct ListenerLimits: Sendable, Equatable {
    /// The maximum number of open connections. When it is exceeded, a connection of the address with the most
    /// connections is closed.
    public var connections: Int
    /// The maximum size of a request's head, in bytes of its names, values and path.
    public var headerBytes: Int
    /// The maximum time from the opening of a connection to the head of its first request.
    public var headTimeout: Duration
    /// The maximum time for the rest of a request to arrive, and for the client to take a response or a part of
    /// it.
    public var bodyTimeout: Duration
    /// The maximum time that a connection may stay open without a request.
    public var idleTimeout: Duration
    /// The maximum size of a body that any route reads, in bytes.
    public var bodyBytes: Int
    /// The maximum number of bytes held at once for all clients: requests without a response, and responses that
    /// are not read.
    public var bodyBytesTotal: Int
    /// The maximum number of requests that are answered at once.
    public var requestsInFlight: Int
    /// The maximum number of requests per second from each client, averaged over ten seconds; `nil` for no limit.
    public var clientRequestsPerSecond: Int?

    /// The maximum number of header fields of a request.
    static let headerFields = 100

    public init(
        connections: Int = 4_096, headerBytes: Int = 16_384, headTimeout: Duration = .seconds(10),
        bodyTimeout: Duration = .seconds(20), idleTimeout: Duration = .seconds(60), bodyBytes: Int = 262_144,
        bodyBytesTotal: Int = 67_108_864, requestsInFlight: Int = 3_072, clientRequestsPerSecond: Int? = nil
    ) {
        self.connections = connections
        self.headerBytes = headerBytes
        self.headTimeout = headTimeout
        self.bodyTimeout = bodyTimeout
        self.idleTimeout = idleTimeout
        self.bodyBytes = bodyBytes
        self.bodyBytesTotal = bodyBytesTotal
        self.requestsInFlight = requestsInFlight
        self.clientRequestsPerSecond = clientRequestsPerSecond
    }

    /// The number of connections that are accepted beyond the limit. For each of them another connection is
    /// closed, which takes a moment.
    public var connectionsInTransit: Int { min(max(8, connections / 16), 256) }
}
