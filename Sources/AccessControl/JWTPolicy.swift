/// What a JWT must say to be for this service.
public struct JWTPolicy: Sendable, Equatable {
    /// One of its `aud`.
    public var audience: String
    /// Its `iss`; nil takes any.
    public var issuer: String?
    /// How far the issuer's clock may be off, in seconds.
    public var clockSkew: Int

    public init(audience: String, issuer: String? = nil, clockSkew: Int = 60) {
        self.audience = audience
        self.issuer = issuer
        self.clockSkew = clockSkew
    }
}
