public import FoundationEssentials

/// Authenticates clients by a JWT: parses the token, finds its key, verifies its signature, and only then reads
/// its claims.
public struct JWTVerifier: Sendable {
    private let policy: JWTPolicy
    private let keys: [JWTKey]
    private let remote: RemoteKeys?
    private let now: @Sendable () -> Date

    /// - Parameters:
    ///   - keys: the configured keys, which are searched first.
    ///   - remote: the keys at a URL, which are searched if no configured key matches.
    public init(
        policy: JWTPolicy, keys: [JWTKey], remote: RemoteKeys? = nil, now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.policy = policy
        self.keys = keys
        self.remote = remote
        self.now = now
    }

    /// Authenticates a client by a token.
    ///
    /// - Throws: ``JWTError`` for the first check that fails.
    public func authenticate(with text: String) async throws(JWTError) -> AuthenticatedClient {
        let token = try JSONWebToken(text)
        return try authenticate(token, by: try await key(of: token))
    }

    /// Authenticates a client with the configured keys only, without fetching keys.
    public func authenticateByOwnKeys(with text: String) throws(JWTError) -> AuthenticatedClient {
        let token = try JSONWebToken(text)
        guard let key = localKey(of: token) else { throw .unknownKey }
        return try authenticate(token, by: key)
    }

    /// Returns the claims of a token that does not identify a client, after checking its signature, lifetime,
    /// audience and issuer.
    func claims(of text: String) async throws(JWTError) -> JWTClaims {
        let token = try JSONWebToken(text)
        return try verified(token, by: try await key(of: token))
    }

    private func authenticate(_ token: JSONWebToken, by key: JWTKey) throws(JWTError) -> AuthenticatedClient {
        try verified(token, by: key).authenticate(pinnedTo: key.client, orderFields: policy.orderFields)
    }

    private func verified(_ token: JSONWebToken, by key: JWTKey) throws(JWTError) -> JWTClaims {
        // The key determines the algorithm. A token that names another algorithm tries to pass off a public key
        // as a shared secret, or to be accepted without a signature.
        guard key.algorithm == token.algorithm else { throw .algorithm }
        guard key.verifies(token) else { throw key.hasDERSignature(token) ? .signatureInDER : .signature }
        let claims = try JWTClaims(of: token)
        try claims.check(against: policy, at: now().timeIntervalSince1970)
        return claims
    }

    private func key(of token: JSONWebToken) async throws(JWTError) -> JWTKey {
        if let key = localKey(of: token) { return key }
        guard let remote else { throw .unknownKey }
        return try await remote.key(named: token.keyIdentifier)
    }

    /// Returns the key with the token's `kid`. For a token without a `kid`, returns the key without one. There is
    /// no default key.
    private func localKey(of token: JSONWebToken) -> JWTKey? {
        keys.first { $0.identifier == token.keyIdentifier }
    }
}

/// Why a JWT is rejected.
public enum JWTError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The token is longer than 8192 bytes.
    case tooLong
    case malformed(String)
    /// The token's `alg` is not the algorithm of its key.
    case algorithm
    case unknownKey
    case signature
    /// The ES256 signature is in DER. It was not verified.
    case signatureInDER
    /// A claim is missing or has a value that is not accepted.
    case claim(String, String)
    /// The keys cannot be fetched, so the token can be neither accepted nor rejected.
    case keysUnavailable

    public var description: String {
        switch self {
        case .tooLong: "the token is longer than \(JSONWebToken.sizeLimit) bytes"
        case .malformed(let reason): "the token is malformed: \(reason)"
        case .algorithm: "the token's alg is not that of its key"
        case .unknownKey: "no key has the token's kid"
        case .signature: "the token's signature is not its key's"
        case .signatureInDER:
            "the token's signature is DER, JWS wants r‖s: the two numbers side by side, 64 bytes (RFC 7518, 3.4)"
        case .claim(let name, let reason): "the token's \(name) \(reason)"
        case .keysUnavailable: "the keys for tokens cannot be fetched"
        }
    }
}
