/// How an `OutboundClient` connects.
public struct OutboundSettings: Sendable {
    /// The client certificate and its key, for mutual TLS.
    public struct Identity: Sendable {
        /// The path of a PEM file: the certificate, then the intermediates that lead to its root.
        public var certificateFile: String
        /// The path of a PEM file: the private key, not encrypted.
        public var keyFile: String

        public init(certificateFile: String, keyFile: String) {
            self.certificateFile = certificateFile
            self.keyFile = keyFile
        }
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
