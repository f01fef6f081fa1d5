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
    /// The only public key to accept from the server, on top of the chain: `sha256//` and the base64 of the SHA-256 of
    /// its SubjectPublicKeyInfo in DER; several are separated by `;`.
    public var pinnedPublicKey: String?
    /// A connection that was idle for longer is closed instead of reused. Whole seconds, at least one.
    public var idleLimit: Duration
    /// How many requests may be in flight at once; one more fails with `notSent`. As many connections at most are kept alive.
    public var inFlightLimit: Int

    public init(
        caFile: String? = nil, identity: Identity? = nil, pinnedPublicKey: String? = nil,
        idleLimit: Duration = .seconds(15), inFlightLimit: Int = 512
    ) {
        self.caFile = caFile
        self.identity = identity
        self.pinnedPublicKey = pinnedPublicKey
        self.idleLimit = idleLimit
        self.inFlightLimit = inFlightLimit
    }
}
