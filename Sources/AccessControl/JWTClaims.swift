import OrderedJSON

/// The claims of a token whose signature is verified (RFC 7519, 4).
struct JWTClaims {
    private let members: JSONObject

    init(payload: [UInt8]) throws(JWTFault) {
        guard let members = (try? JSON(parsing: payload))?.objectValue else {
            throw .malformed("its claims are no JSON object")
        }
        self.members = members
    }

    /// Checks that the token is for this service and for now.
    ///
    /// - Parameter now: seconds since 1970.
    func check(against policy: JWTPolicy, at now: Double) throws(JWTFault) {
        let skew = Double(policy.clockSkew)
        guard let expiry = try moment("exp") else { throw .claim("exp", "is missing") }
        guard now < expiry + skew else { throw .claim("exp", "has passed") }
        if let start = try moment("nbf"), now < start - skew { throw .claim("nbf", "has not come") }
        let audiences = members["aud"]?.arrayValue ?? members["aud"].map { [$0] } ?? []
        guard audiences.contains(.string(policy.audience)) else { throw .claim("aud", "is not this service") }
        if let issuer = policy.issuer, members["iss"] != .string(issuer) {
            throw .claim("iss", "is not the one that is trusted")
        }
    }

    /// Who calls with it.
    ///
    /// - Parameter pinned: the only client that the token's key can speak for.
    func caller(pinnedTo pinned: String?) throws(JWTFault) -> Caller {
        let named = members["client_id"]
        guard let client = named.map(\.stringValue) ?? pinned, Caller.isClient(client) else {
            throw .claim("client_id", named == nil ? "is missing" : "cannot name a client")
        }
        if let pinned, client != pinned { throw .claim("client_id", "is not the client of its key") }
        let order = try order()
        let scopes = try scopes(otherwise: order == nil ? [] : Self.scopesOfOrders)
        return Caller(
            client: client, scopes: order == nil ? scopes : scopes.intersection(Self.scopesOfOrders), order: order)
    }

    /// All that an order token can be for.
    private static let scopesOfOrders: Set<Scope> = [.paymentsCreate, .paymentsRead]

    /// RFC 8693, 4.2: words with spaces between them. Those that mean something to others are left out.
    private func scopes(otherwise standard: Set<Scope>) throws(JWTFault) -> Set<Scope> {
        guard let claim = members["scope"] else { return standard }
        guard let text = claim.stringValue else { throw .claim("scope", "is no string") }
        return Set(text.split(separator: " ").compactMap { Scope(rawValue: String($0)) })
    }

    /// What the token pins: all three members of an order, or none, for part of them would leave the rest to the phone; and
    /// with them the command, where it says one.
    private func order() throws(JWTFault) -> PinnedOrder? {
        let pins = ["merchant_reference", "amount", "currency"]
        guard (pins + ["command"]).contains(where: { members[$0] != nil }) else { return nil }
        for name in pins where members[name] == nil {
            throw .claim(name, "is missing: an order token pins \(pins.joined(separator: ", "))")
        }
        guard let reference = members["merchant_reference"]?.stringValue, !reference.isEmpty else {
            throw .claim("merchant_reference", "is no text")
        }
        guard let amount = members["amount"].flatMap(Self.amount) else {
            throw .claim("amount", "is no whole number of minor units")
        }
        guard let currency = members["currency"]?.stringValue else { throw .claim("currency", "is no text") }
        return PinnedOrder(
            merchantReference: reference, amount: amount, currency: currency, command: try command())
    }

    private func command() throws(JWTFault) -> String? {
        guard let claim = members["command"] else { return nil }
        guard let command = claim.stringValue, PinnedOrder.commands.contains(command) else {
            throw .claim("command", "is neither AUTHORIZATION nor PURCHASE")
        }
        return command
    }

    /// As in a request to pay: digits alone and no zero before them, as a number or as text.
    private static func amount(_ json: JSON) -> Int? {
        switch json {
        case .number(let digits), .string(let digits):
            // What is written back as it was has no sign, no zero and no other script's digits.
            Int(digits).flatMap { String($0) == digits && $0 >= 0 ? $0 : nil }
        default: nil
        }
    }

    /// A NumericDate: seconds since 1970, whole or not.
    private func moment(_ name: String) throws(JWTFault) -> Double? {
        guard let claim = members[name] else { return nil }
        guard case .number(let literal) = claim, let seconds = Double(literal), seconds.isFinite else {
            throw .claim(name, "is no number of seconds")
        }
        return seconds
    }
}
