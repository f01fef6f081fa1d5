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
    /// SHA-256 of the public key (X.509 SubjectPublicKeyInfo in DER) that the server must have: then nothing else that its certificate
    /// says counts, not its end either. Nil where the certificate must be a trusted root's, for the name in the URL.
    public var pinnedKey: Base64Text?
    /// A connection that was idle for longer is closed instead of reused. Whole seconds, at least one.
    public var idleLimit: Duration
    /// Whether servers are offered HTTP/2 over TLS. Gateways are not: a connection that many requests share is not closed by the timeout
    /// of one. Where it falls silent, each request to that server would time out.
    public var offersHTTP2: Bool
    /// How many requests may be in flight at once; one more fails with `notSent`. As many connections at most are kept alive.
    public var inFlightLimit: Int

    public init(
        caFile: String? = nil, identity: Identity? = nil, pinnedKey: Base64Text? = nil,
        idleLimit: Duration = .seconds(15), offersHTTP2: Bool = false, inFlightLimit: Int = 512
    ) {
        self.caFile = caFile
        self.identity = identity
        self.pinnedKey = pinnedKey
        self.idleLimit = idleLimit
        self.offersHTTP2 = offersHTTP2
        self.inFlightLimit = inFlightLimit
    }
}
