public import FoundationEssentials

/// Says who calls with a JWT: takes it apart, finds its key, verifies its signature, and only then reads its claims.
public struct JWTVerifier: Sendable {
    private let policy: JWTPolicy
    private let keys: [JWTKey]
    private let remote: RemoteKeys?
    private let now: @Sendable () -> Date

    /// - Parameters:
    ///   - keys: looked through first.
    ///   - remote: asked for what is not among them.
    public init(
        policy: JWTPolicy, keys: [JWTKey], remote: RemoteKeys? = nil, now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.policy = policy
        self.keys = keys
        self.remote = remote
        self.now = now
    }

    /// - Throws: ``JWTError``, the first that is found.
    public func authenticate(with text: String) async throws(JWTError) -> AuthenticatedClient {
        let token = try JSONWebToken(text)
        let key = try await key(of: token)
        // The key says how it is used. A token that names another algorithm wants a public key taken for a shared secret,
        // or no signature at all.
        guard key.algorithm == token.algorithm else { throw .algorithm }
        guard await key.signed(token) else { throw .signature }
        let claims = try JWTClaims(payload: token.payload)
        try claims.check(against: policy, at: now().timeIntervalSince1970)
        return try claims.authenticate(pinnedTo: key.client, orderFields: policy.orderFields)
    }

    private func key(of token: JSONWebToken) async throws(JWTError) -> JWTKey {
        if let key = keys.first(where: { $0.identifier == token.keyIdentifier }) { return key }
        guard let remote else { throw .unknownKey }
        return try await remote.key(named: token.keyIdentifier)
    }
}
