import PayrelayPrimitives

/// Which JWTs are accepted once their signature is verified: by `aud`, `iss`, `client_id` and `scope` (RFC 7519, 4). How long they
/// may live is in `JWTLifetime.swift`, and what an order token pins in `PinnedOrder.swift`.
struct JWTClaims {
    let members: JSONObject

    init(of token: JSONWebToken) throws(JWTError) {
        guard let members = token.claims else { throw .malformed("its claims are no JSON object") }
        self.members = members
    }

    /// Checks that the token is for this service and for now.
    ///
    /// - Parameter now: seconds since 1970.
    func check(against policy: JWTPolicy, at now: Double) throws(JWTError) {
        try checkLifetime(against: policy, at: now)
        let audiences = members["aud"]?.arrayValue ?? members["aud"].map { [$0] } ?? []
        guard audiences.contains(.string(policy.audience)) else { throw .claim("aud", "is not this service") }
        if let issuer = policy.issuer, members["iss"] != .string(issuer) {
            throw .claim("iss", "is not the one that is trusted")
        }
    }

    /// The client that the token authenticates, with its scopes and its order.
    ///
    /// - Parameters:
    ///   - pinned: the only client that the token's key can speak for.
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

    /// Whether it is an order token, or would be one if it were complete.
    var isOfOrder: Bool { PinnedOrder.marks.contains { members[$0] != nil } }

    /// RFC 8693, 4.2: words separated by spaces. Those that mean something to other services are left out.
    private func scopes() throws(JWTError) -> Set<Scope>? {
        guard let claim = members["scope"] else { return nil }
        guard let text = claim.stringValue else { throw .claim("scope", "is no string") }
        return Set(text.parts(at: " ").compactMap { Scope(rawValue: String($0)) })
    }
}
