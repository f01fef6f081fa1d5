/// Which JWTs are accepted, as configured.
public struct JWTPolicy: Sendable, Equatable {
    /// What one of its `aud` must be.
    public var audience: String
    /// What its `iss` must be; nil accepts any.
    public var issuer: String?
    /// Leeway for the issuer's clock.
    public var clockSkew: Duration
    /// How long it may be valid: from its `iat`, where it has one, and from now.
    public var lifetimeLimit: Duration
    /// How long an order token may be valid.
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
