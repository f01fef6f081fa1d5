import PayrelayPrimitives

/// The order that an order token pins: the fields of the order among the token's claims, as a request would send
/// them. A phone with the token can pay exactly this order and no other (S15).
public struct PinnedOrder: Sendable, Equatable {
    public let merchantReference: String
    /// The fields as texts, by their names in the API, including `merchant_reference`. `amount` is in minor units
    /// of the currency.
    public let fields: [String: String]

    /// The claims that make a JWT an order token. If any of them is present, all of ``required`` must be.
    static let marks = required + ["command"]
    static let required = ["merchant_reference", "amount", "currency"]
    /// The scopes of an order token without a `scope` claim.
    static let scopes: Set<Scope> = [.paymentsCreate, .paymentsRead]
    /// The scopes that an order token can have, whatever its `scope` claim says. They include Apple Pay sessions,
    /// which a checkout page needs before it can pay.
    static let possibleScopes = scopes.union([.sessionsCreate])

    /// - Parameter fields: the other fields by their names.
    public init(merchantReference: String, fields: [String: String]) {
        self.merchantReference = merchantReference
        self.fields = fields.merging(["merchant_reference": merchantReference]) { $1 }
    }

    /// Reads the order that the token pins. The three required fields must be pinned, because the phone could
    /// choose any that is not. Every other field of the order that is among the claims is pinned, too.
    ///
    /// - Parameter orderFields: see ``JWTPolicy``.
    init(claims: JSONObject, orderFields: Set<String>) throws(JWTError) {
        for name in Self.required where claims[name] == nil {
            throw .claim(name, "is missing: an order token pins \(Self.required.joined(separator: ", "))")
        }
        var fields: [String: String] = [:]
        for claim in claims.members where orderFields.contains(claim.name) {
            fields[claim.name] = try Self.text(of: claim)
        }
        guard let reference = fields["merchant_reference"], !reference.isEmpty else {
            throw .claim("merchant_reference", "is empty")
        }
        self.init(merchantReference: reference, fields: fields)
    }

    /// Returns a claim as the text that the field has in a request. The field's limits are checked with the
    /// request.
    private static func text(of claim: JSONObject.Member) throws(JWTError) -> String {
        switch (claim.name, claim.value) {
        case ("amount", .number(let text)), ("amount", .string(let text)):
            guard (MinorUnits(parsing: text) ?? .zero) > .zero else {
                throw .claim("amount", "is not a whole number of minor units")
            }
            return text
        case ("amount", _): throw .claim("amount", "is not a whole number of minor units")
        case ("command", let value):
            guard let text = value.stringValue, commands.contains(text) else {
                throw .claim("command", "is neither AUTHORIZATION nor PURCHASE")
            }
            return text
        case (_, .string(let text)): return text
        default: throw .claim(claim.name, "is not a text")
        }
    }

    /// The accepted values of `command`.
    private static let commands: Set = ["AUTHORIZATION", "PURCHASE"]
}
