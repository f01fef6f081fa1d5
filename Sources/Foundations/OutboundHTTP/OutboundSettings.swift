public import PayrelayPrimitives

/// How an `OutboundClient` connects.
public struct OutboundSettings: Sendable {
    /// The client certificate and its key, for mutual TLS. Held here, because libcurl would read files again at each connection
    /// and meet a file that is being replaced.
    public struct Identity: Hashable, Sendable {
        /// In PEM: the certificate, then the intermediates that lead to its root.
        public let certificate: String
        /// The private key in PEM, not encrypted.
        public let key: Secret

        public init(certificate: String, key: Secret) {
            self.certificate = certificate
            self.key = key
        }

        public func hash(into hasher: inout Hasher) { hasher.combine(certificate) }
    }

    /// The path of a PEM file with the only roots to trust; nil for the system's.
    public var caFile: String?
    public var identity: Identity?
    /// Whether it asks for the health of this machine's own listener alone: then the server's certificate is not verified. Nothing
    /// secret is sent by such a client, and no payment.
    public var isHealthProbe: Bool
    /// A connection that was idle for longer is closed instead of reused. Whole seconds, at least one.
    public var idleLimit: Duration
    /// Whether servers are offered HTTP/2 over TLS. Gateways are not: a connection that many requests share is not closed by the timeout
    /// of one. Where it falls silent, each request to that server would time out.
    public var offersHTTP2: Bool
    /// How many requests may be in flight at once; one more fails with `notSent`. As many connections at most are kept alive.
    public var inFlightLimit: Int

    public init(
        caFile: String? = nil, identity: Identity? = nil, isHealthProbe: Bool = false,
        idleLimit: Duration = .seconds(15), offersHTTP2: Bool = false, inFlightLimit: Int = 512
    ) {
        self.caFile = caFile
        self.identity = identity
        self.isHealthProbe = isHealthProbe
        self.idleLimit = idleLimit
        self.offersHTTP2 = offersHTTP2
        self.inFlightLimit = inFlightLimit
    }
}
