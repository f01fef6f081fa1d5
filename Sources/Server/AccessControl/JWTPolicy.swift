/// Which JWTs are accepted, as configured.
public struct JWTPolicy: Sendable, Equatable {
    /// The accepted audience: `aud` must contain it.
    public var audience: String
    /// The accepted issuer, which `iss` must equal; nil accepts any.
    public var issuer: String?
    /// Leeway for the issuer's clock.
    public var clockSkew: Duration
    /// The longest accepted validity: from its `iat`, if present, and from now.
    public var lifetimeLimit: Duration
    /// The longest accepted validity of an order token.
    public var orderLifetimeLimit: Duration
    /// The claims that pin a field of the order, by the field's name. Other claims are ignored.
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
