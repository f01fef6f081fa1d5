import Primitives

/// The claims of a token whose signature is verified (RFC 7519, 4).
struct JWTClaims {
    private let members: JSONObject

    init(payload: [UInt8]) throws(JWTError) {
        guard let members = (try? JSON(parsing: payload))?.objectValue else {
            throw .malformed("its claims are no JSON object")
        }
        self.members = members
    }

    /// Checks that the token is for this service and for now.
    ///
    /// - Parameter now: seconds since 1970.
    func check(against policy: JWTPolicy, at now: Double) throws(JWTError) {
        let skew = Double(policy.clockSkew)
        guard let expiry = try moment("exp") else { throw .claim("exp", "is missing") }
        guard now < expiry + skew else { throw .claim("exp", "has passed") }
        try checkLifetime(until: expiry, against: policy, at: now)
        if let start = try moment("nbf"), now < start - skew { throw .claim("nbf", "has not come") }
        let audiences = members["aud"]?.arrayValue ?? members["aud"].map { [$0] } ?? []
        guard audiences.contains(.string(policy.audience)) else { throw .claim("aud", "is not this service") }
        if let issuer = policy.issuer, members["iss"] != .string(issuer) {
            throw .claim("iss", "is not the one that is trusted")
        }
    }

    /// A stolen token is good until it ends, so none may be good for long. An `iat` is the issuer's word: it can shorten the
    /// time that is left and never lengthen it.
    private func checkLifetime(
        until expiry: Double, against policy: JWTPolicy, at now: Double
    ) throws(JWTError) {
        let limit = isOfOrder ? policy.orderLifetimeLimit : policy.lifetimeLimit
        let skew = Double(policy.clockSkew)
        guard expiry - now <= Double(limit) + skew else {
            throw .claim("exp", "is more than \(limit) seconds from now")
        }
        guard let issued = try moment("iat") else { return }
        guard now >= issued - skew else { throw .claim("iat", "has not come") }
        guard expiry - issued <= Double(limit) else {
            throw .claim("exp", "is more than \(limit) seconds after its iat")
        }
    }

    /// Who calls with it.
    ///
    /// - Parameters:
    ///   - pinned: the only client that the token's key can speak for.
    ///   - orderFields: see ``JWTPolicy``.
    func authenticate(pinnedTo pinned: String?, orderFields: Set<String>) throws(JWTError) -> AuthenticatedClient {
        let named = members["client_id"]
        guard let client = named.map(\.stringValue) ?? pinned, AuthenticatedClient.isName(client) else {
            throw .claim("client_id", named == nil ? "is missing" : "cannot name a client")
        }
        if let pinned, client != pinned { throw .claim("client_id", "is not the client of its key") }
        let order = try order(orderFields)
        let scopes = try scopes(otherwise: order == nil ? [] : Self.scopesOfOrders)
        return AuthenticatedClient(
            name: client, scopes: order == nil ? scopes : scopes.intersection(Self.scopesOfOrders), order: order)
    }

    /// All that an order token can be for.
    private static let scopesOfOrders: Set<Scope> = [.paymentsCreate, .paymentsRead]

    /// RFC 8693, 4.2: words with spaces between them. Those that mean something to others are left out.
    private func scopes(otherwise standard: Set<Scope>) throws(JWTError) -> Set<Scope> {
        guard let claim = members["scope"] else { return standard }
        guard let text = claim.stringValue else { throw .claim("scope", "is no string") }
        return Set(text.split(separator: " ").compactMap { Scope(rawValue: String($0)) })
    }

    /// Whether it is an order token, or would be one.
    private var isOfOrder: Bool { PinnedOrder.marks.contains { members[$0] != nil } }

    /// What the token pins: the three members that make an order, for part of them would leave the rest to the phone; and with
    /// them every other field of the order that it says.
    private func order(_ names: Set<String>) throws(JWTError) -> PinnedOrder? {
        guard isOfOrder else { return nil }
        for name in PinnedOrder.required where members[name] == nil {
            throw .claim(name, "is missing: an order token pins \(PinnedOrder.required.joined(separator: ", "))")
        }
        var fields: [String: String] = [:]
        for member in members.members where names.contains(member.name) {
            fields[member.name] = try Self.text(of: member)
        }
        guard let reference = fields["merchant_reference"], !reference.isEmpty else {
            throw .claim("merchant_reference", "is empty")
        }
        return PinnedOrder(merchantReference: reference, fields: fields)
    }

    /// A claim as the field's text in a request. Its limits are the field's, and are checked with the request's.
    private static func text(of claim: JSONObject.Member) throws(JWTError) -> String {
        switch (claim.name, claim.value) {
        case ("amount", .number(let text)), ("amount", .string(let text)):
            guard isAmount(text) else { throw .claim("amount", "is no whole number of minor units") }
            return text
        case ("amount", _): throw .claim("amount", "is no whole number of minor units")
        case ("command", let value):
            guard let text = value.stringValue, commands.contains(text) else {
                throw .claim("command", "is neither AUTHORIZATION nor PURCHASE")
            }
            return text
        case (_, .string(let text)): return text
        default: throw .claim(claim.name, "is no text")
        }
    }

    /// What a command can be (FORT's words).
    private static let commands: Set = ["AUTHORIZATION", "PURCHASE"]

    /// As in a request to pay: digits alone and no zero before them. Nothing that FORT takes has more than ten.
    private static func isAmount(_ text: String) -> Bool {
        (1...10).contains(text.utf8.count) && text.utf8.first != UInt8(ascii: "0")
            && text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }

    /// A NumericDate: seconds since 1970, whole or not.
    private func moment(_ name: String) throws(JWTError) -> Double? {
        guard let claim = members[name] else { return nil }
        guard case .number(let literal) = claim, let seconds = Double(literal), seconds.isFinite else {
            throw .claim(name, "is no number of seconds")
        }
        return seconds
    }
}
