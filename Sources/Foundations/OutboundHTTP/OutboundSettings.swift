import CCurl
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
    /// Whether servers are offered HTTP/2 over TLS. The standard is to do so with libcurl 8.1 or later, which brought an HTTP/2
    /// written anew. One before it (7.88 in Debian 12) resets the stream of an answer that ends with an empty frame. Servers that
    /// count resets, against the attack of CVE-2023-44487, then break the connection, and with it every payment under way on it.
    public var offersHTTP2: Bool
    /// How many requests may be in flight at once; one more fails with `notSent`. As many connections at most are kept alive.
    public var inFlightLimit: Int

    /// - Parameter offersHTTP2: nil for the standard.
    public init(
        caFile: String? = nil, identity: Identity? = nil, pinnedKey: Base64Text? = nil,
        idleLimit: Duration = .seconds(15), offersHTTP2: Bool? = nil, inFlightLimit: Int = 512
    ) {
        self.caFile = caFile
        self.identity = identity
        self.pinnedKey = pinnedKey
        self.idleLimit = idleLimit
        self.offersHTTP2 = offersHTTP2 ?? Self.hasSoundHTTP2
        self.inFlightLimit = inFlightLimit
    }

    /// Whether this machine's libcurl is 8.1 or later.
    static let hasSoundHTTP2 = payrelay_curl_version() >= 0x080100
}
