/// A listener's limits, for all clients together and for each client.
public struct ListenerLimits: Sendable, Equatable {
    /// The most open connections. For one more, an idle connection of the address with the most is closed.
    public var connections: Int
    /// The longest head of a request, in bytes of its names, values and path.
    public var headerBytes: Int
    /// The longest time from a new connection to the head of its first request.
    public var headTimeout: Duration
    /// The longest time for the rest of a request to arrive, and for a client to take a response or a part of it.
    public var bodyTimeout: Duration
    /// The longest time that a connection may be without a request.
    public var idleTimeout: Duration
    /// The longest body that any route reads, in bytes.
    public var bodyBytes: Int
    /// The most bytes that are held at once for all clients: of requests without a response, and of responses that are not read.
    public var bodyBytesTotal: Int
    /// The most requests that are answered at once.
    public var requestsInFlight: Int
    /// The most requests per second of each client, averaged over ten seconds; `nil` for no limit.
    public var clientRequestsPerSecond: Int?

    /// The most header fields of a request.
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

    /// The number of connections accepted beyond the limit: another is closed for each, which takes a moment.
    public var connectionsInTransit: Int { min(max(8, connections / 16), 256) }
}
