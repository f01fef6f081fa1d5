public import PayrelayPrimitives

/// The claims of an order token (docs/order-tokens.md): the order that a phone may pay with the token, and how
/// long the token is valid.
///
/// Sign ``json`` as a JWT with the key that the relay verifies.
///
/// ```swift
/// let claims = OrderTokenClaims(
///     issuedAt: Int(Date().timeIntervalSince1970), merchantReference: "ORDER-1001", amount: 10_000, currency: "AED")
/// ```
public struct OrderTokenClaims: Sendable, Equatable {
    /// The audience, `aud`.
    public var audience: String
    /// The issuer, `iss`. Required if the relay sets `PAYRELAY_JWT_ISSUER`.
    public var issuer: String?
    /// The client, `client_id`. Required if the relay's key does not name a client.
    public var client: String?
    /// When the token is issued, in seconds since 1970.
    public var issuedAt: Int
    /// The lifetime in seconds.
    public var lifetime: Int
    /// A subset of ``possibleScopes``; `nil` for paying and reading.
    public var scopes: [String]?
    /// The command that the token pins; `nil` for a token that can only read.
    public var command: PaymentCommand?
    /// The merchant's reference of the order that the token is for.
    public var merchantReference: String
    /// The amount in minor units of the currency.
    public var amount: Int
    /// The ISO 4217 code, three letters.
    public var currency: String
    /// Further fields of the order to pin, by FORT's names (``otherFields``).
    public var fields: [String: String]

    /// All times are in seconds: `issuedAt` since 1970, `lifetime` from `issuedAt`.
    public init(
        audience: String = "payrelay", issuer: String? = nil, client: String? = nil, issuedAt: Int, lifetime: Int = 300,
        scopes: [String]? = nil, command: PaymentCommand? = .purchase, merchantReference: String,
        amount: Int, currency: String, fields: [String: String] = [:]
    ) {
        self.audience = audience
        self.issuer = issuer
        self.client = client
        self.issuedAt = issuedAt
        self.lifetime = lifetime
        self.scopes = scopes
        self.command = command
        self.merchantReference = merchantReference
        self.amount = amount
        self.currency = currency
        self.fields = fields
    }

    /// The fields of the order that every order token pins.
    public static let required = [PaymentField.merchantReference, PaymentField.amount, PaymentField.currency]
    /// Further fields of the order that a token may pin, besides `command`. Other claims pin nothing.
    public static let otherFields =
        [
            PaymentField.language, PaymentField.customerEmail, PaymentField.customerIP, PaymentField.customerName,
            PaymentField.phoneNumber, PaymentField.orderDescription, PaymentField.statementDescriptor,
            PaymentField.settlementReference, PaymentField.paymentOption, PaymentField.tokenName,
            PaymentField.deviceFingerprint, PaymentField.applicationDataHash, PaymentField.account, PaymentField.eci,
            PaymentField.recurringMode,
        ] + Order.MerchantExtra.allCases.map(\.rawValue)
    /// The scopes that an order token can have. The last is for a web page, which opens its own Apple Pay
    /// session.
    public static let possibleScopes = ["payments:create", "payments:read", "sessions:create"]
    /// The relay's default limit for the lifetime, in seconds, if `PAYRELAY_JWT_ORDER_LIFETIME_SECONDS_MAX` is
    /// not set.
    public static let lifetimeLimit = 3_600

    /// The claims: first the fields in the order of ``otherFields``, then the fields that pin nothing.
    public var json: JSONObject {
        var json: JSONObject = ["aud": .string(audience)]
        json["iss"] = issuer.map(JSON.string)
        json["client_id"] = client.map(JSON.string)
        json["iat"] = JSON(issuedAt)
        json["exp"] = JSON(expiry)
        json["scope"] = scopes.map { .string($0.joined(separator: " ")) }
        json[PaymentField.command] = command.map { .string($0.rawValue) }
        json[PaymentField.merchantReference] = .string(merchantReference)
        json[PaymentField.amount] = JSON(amount)
        json[PaymentField.currency] = .string(currency)
        for name in Self.otherFields + unknownFields { json[name] = fields[name].map(JSON.string) }
        return json
    }

    /// Returns why the relay would reject the token or ignore one of its claims. FORT's limits on the fields are
    /// not checked here.
    ///
    /// - Parameter lifetimeLimit: the relay's limit in seconds.
    public func errors(lifetimeLimit: Int = Self.lifetimeLimit) -> [ValidationError] {
        var errors: [ValidationError] = []
        func check(_ isValid: Bool, _ name: String, _ detail: String) {
            if !isValid { errors.append(ValidationError(field: name, detail: detail)) }
        }
        check((1...max(1, lifetimeLimit)).contains(lifetime), "exp", "must be 1 to \(lifetimeLimit) seconds from now")
        check(!merchantReference.isEmpty, PaymentField.merchantReference, "is empty")
        check(
            (1...MinorUnits.limit).contains(amount), PaymentField.amount,
            "must be a whole number of minor units, 1 to \(MinorUnits.limit)")
        check(
            Currency(code: currency) != nil, PaymentField.currency, "must be an ISO 4217 currency code such as AED")
        for scope in scopes ?? [] {
            check(Self.possibleScopes.contains(scope), "scope", "has \(scope), which no order token can have")
        }
        for name in unknownFields { check(false, name, "pins nothing: no field of an order has this name") }
        return errors
    }

    private var expiry: Int { issuedAt.addingReportingOverflow(lifetime).partialValue }

    private var unknownFields: [String] { fields.keys.filter { !Self.otherFields.contains($0) }.sorted() }
}
