import HTTPTypes

/// What clients may take of a listener, all of them together and each alone.
public struct ListenerLimits: Sendable, Equatable {
    /// How many connections are open at once. For one more, one that does nothing is closed, of the address that has the most.
    public var connections: Int
    /// The longest head of a request, in bytes of its names, values and path.
    public var headerBytes: Int
    /// How long a new connection may take to send the head of its first request.
    public var headTimeout: Duration
    /// How long the rest of a request may take to come, and a client to take what it is answered.
    public var bodyTimeout: Duration
    /// How long a connection may go without a request.
    public var idleTimeout: Duration
    /// The longest body that any route reads, in bytes.
    public var bodyBytes: Int
    /// How many bytes of bodies are kept at once, of all requests that have no answer yet.
    public var bodyBytesTotal: Int
    /// How many requests are answered at once.
    public var requestsInFlight: Int
    /// How many requests each client may send, on the average of ten seconds; nil for any number.
    public var clientRequestsPerSecond: Int?

    /// The most header fields of a request.
    static let headerFields = 100

    public init(
        connections: Int = 4_096, headerBytes: Int = 16_384, headTimeout: Duration = .seconds(10),
        bodyTimeout: Duration = .seconds(20), idleTimeout: Duration = .seconds(60), bodyBytes: Int = 262_144,
        bodyBytesTotal: Int = 67_108_864, requestsInFlight: Int = 512, clientRequestsPerSecond: Int? = nil
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

    /// How many connections are taken beyond the limit: for each of them another is closed, which takes a moment.
    public var connectionsInTransit: Int { min(max(8, connections / 16), 256) }

    /// Whether the head of a request is longer, or has more fields, than it may.
    func areExceeded(by request: HTTPRequest) -> Bool {
        let ownLength = (request.path?.utf8.count ?? 0) + (request.authority?.utf8.count ?? 0)
        let length = request.headerFields.reduce(ownLength) { $0 + $1.name.rawName.utf8.count + $1.value.utf8.count }
        return length > headerBytes || request.headerFields.count > Self.headerFields
    }
}
