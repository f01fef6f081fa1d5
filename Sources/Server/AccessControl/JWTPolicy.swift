/// The configured rules for accepting JWTs.
public struct JWTPolicy: Sendable, Equatable {
    /// The audience that `aud` must contain.
    public var audience: String
    /// The issuer that `iss` must equal; `nil` accepts any issuer.
    public var issuer: String?
    /// The leeway for the issuer's clock.
    public var clockSkew: Duration
    /// The maximum lifetime of a token, measured from now and, if present, from its `iat`.
    public var lifetimeLimit: Duration
    /// The maximum lifetime of an order token.
    public var orderLifetimeLimit: Duration
    /// The names of the claims that pin a field of the order. Other claims are ignored.
    public var orderFields: Set<String>

    public init(
        audience: String, issuer: String? = nil, clockSkew: Duration = .seconds(60),
        lifetimeLimit: Duration = .seconds(86_400),
        orderLifetimeLimit: Duration = .seconds(3_600), orderFields: Set<String> = []
    ) {
        self.audience = audience
        self.issuer = issuer
        self.clockSkew = clockSkew
        self.lifetimeLimit = lifetimeLimit
        self.orderLifetimeLimit = orderLifetimeLimit
        self.orderFields = orderFields.union(PinnedOrder.marks)
    }
}
