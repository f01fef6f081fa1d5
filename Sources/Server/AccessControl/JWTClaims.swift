import PayrelayPrimitives

/// The checks on a JWT's claims after its signature was verified: `aud`, `iss`, `client_id` and `scope` (RFC
/// 7519, 4). The checks on its lifetime are in `JWTLifetime.swift`; the claims that pin an order are in
/// `PinnedOrder.swift`.
struct JWTClaims {
    let members: JSONObject

    init(of token: JSONWebToken) throws(JWTError) {
        guard let members = token.claims else { throw .malformed("its claims are not a JSON object") }
        self.members = members
    }

    /// Checks that the token is intended for this service and is valid now.
    ///
    /// - Parameter now: the current time in seconds since 1970.
    func check(against policy: JWTPolicy, at now: Double) throws(JWTError) {
        try checkLifetime(against: policy, at: now)
        let audiences = members["aud"]?.arrayValue ?? members["aud"].map { [$0] } ?? []
        guard audiences.contains(.string(policy.audience)) else { throw .claim("aud", "is not this service") }
        if let issuer = policy.issuer, members["iss"] != .string(issuer) {
            throw .claim("iss", "is not the one that is trusted")
        }
    }

    /// Returns the client that the token authenticates, with its scopes and its order.
    ///
    /// - Parameters:
    ///   - pinned: the only client that tokens of this key can authenticate; `nil` for any client.
    ///   - orderFields: see ``JWTPolicy``.
    func authenticate(pinnedTo pinned: String?, orderFields: Set<String>) throws(JWTError) -> AuthenticatedClient {
        let named = members["client_id"]
        guard let client = named.map(\.stringValue) ?? pinned, APIKeyEntry.isName(client) else {
            throw .claim("client_id", named == nil ? "is missing" : "cannot name a client")
        }
        if let pinned, client != pinned { throw .claim("client_id", "is not the client of its key") }
        guard isOfOrder else { return AuthenticatedClient(name: client, scopes: try scopes() ?? []) }
        let order = try PinnedOrder(claims: members, orderFields: orderFields)
        let scopes = try scopes() ?? PinnedOrder.scopes
        return AuthenticatedClient(name: client, scopes: scopes.intersection(PinnedOrder.possibleScopes), order: order)
    }

    /// Whether the token is an order token, or would be one if it were complete.
    var isOfOrder: Bool { PinnedOrder.marks.contains { members[$0] != nil } }

    /// Returns the token's scopes: words separated by spaces (RFC 8693, 4.2). Scopes of other services are
    /// ignored.
    private func scopes() throws(JWTError) -> Set<Scope>? {
        guard let claim = members["scope"] else { return nil }
        guard let text = claim.stringValue else { throw .claim("scope", "is no string") }
        return Set(text.parts(at: " ").compactMap { Scope(rawValue: String($0)) })
    }
}
