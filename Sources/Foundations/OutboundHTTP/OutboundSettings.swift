public import PayrelayPrimitives

/// The settings with which an `OutboundClient` connects.
public struct OutboundSettings: Sendable {
    /// The client certificate and its key, for mutual TLS. They are kept in memory because libcurl would read
    /// files again for each connection, and could read a file while it is being replaced.
    public struct Identity: Hashable, Sendable {
        /// The certificate in PEM, followed by the intermediates that lead to its root.
        public let certificate: String
        /// The private key in PEM, not encrypted.
        public let key: Secret

        public init(certificate: String, key: Secret) {
            self.certificate = certificate
            self.key = key
        }

        public func hash(into hasher: inout Hasher) { hasher.combine(certificate) }
    }

    /// The path of a PEM file with the only roots to trust; `nil` for the system's roots.
    public var caFile: String?
    public var identity: Identity?
    /// Whether the client only queries the health of this machine's own listener. If so, the server's certificate
    /// is not verified. Such a client sends neither secrets nor payments.
    public var isHealthProbe: Bool
    /// The idle time after which a connection is closed instead of reused: whole seconds, at least one.
    public var idleLimit: Duration
    /// Whether HTTP/2 over TLS is offered to servers. It is not used for gateways, because a connection that many
    /// requests share is not closed when one of them times out. If such a connection stops responding, each
    /// further request to that server would time out.
    public var offersHTTP2: Bool
    /// The maximum number of requests in flight; one more fails with `notSent`. It is also the maximum number of
    /// connections that are kept alive.
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
