/// What a JWT must say to be for this service.
public struct JWTPolicy: Sendable, Equatable {
    /// One of its `aud`.
    public var audience: String
    /// Its `iss`; nil takes any.
    public var issuer: String?
    /// How far the issuer's clock may be off, in seconds.
    public var clockSkew: Int
    /// How long it may be valid, in seconds: from its `iat`, where it has one, and from now.
    public var lifetimeLimit: Int
    /// The same for an order token.
    public var orderLifetimeLimit: Int
    /// The claims that pin a field of the order, by the field's name. Others are passed over.
    public var orderFields: Set<String>

    public init(
        audience: String, issuer: String? = nil, clockSkew: Int = 60, lifetimeLimit: Int = 86_400,
        orderLifetimeLimit: Int = 3_600, orderFields: Set<String> = []
    ) {
        self.audience = audience
        self.issuer = issuer
        self.clockSkew = clockSkew
        self.lifetimeLimit = lifetimeLimit
        self.orderLifetimeLimit = orderLifetimeLimit
        self.orderFields = orderFields.union(PinnedOrder.marks)
    }
}
