import PayrelayPrimitives

/// How long a JWT is valid and may be valid: `exp`, `nbf` and `iat` (RFC 7519, 4.1.4 to 4.1.6), with leeway for the issuer's clock.
extension JWTClaims {
    /// - Parameter now: seconds since 1970.
    func checkLifetime(against policy: JWTPolicy, at now: Double) throws(JWTError) {
        let skew = policy.clockSkew / .seconds(1)
        guard let expiry = try numericDate("exp") else { throw .claim("exp", "is missing") }
        guard now < expiry + skew else { throw .claim("exp", "has passed") }
        try checkLifetimeLimit(until: expiry, against: policy, at: now)
        if let start = try numericDate("nbf"), now < start - skew { throw .claim("nbf", "has not come") }
    }

    /// A stolen token is valid until it expires, so no token may be valid for long. An `iat` is the issuer's word: it can shorten
    /// the time that is left and never lengthen it.
    private func checkLifetimeLimit(
        until expiry: Double, against policy: JWTPolicy, at now: Double
    ) throws(JWTError) {
        let limit = isOfOrder ? policy.orderLifetimeLimit : policy.lifetimeLimit
        let skew = policy.clockSkew / .seconds(1)
        guard expiry - now <= limit / .seconds(1) + skew else {
            throw .claim("exp", "is more than \(limit.wholeSeconds) seconds from now")
        }
        guard let issued = try numericDate("iat") else { return }
        guard now >= issued - skew else { throw .claim("iat", "has not come") }
        guard expiry - issued <= limit / .seconds(1) else {
            throw .claim("exp", "is more than \(limit.wholeSeconds) seconds after its iat")
        }
    }

    /// A NumericDate: seconds since 1970, whole or not.
    func numericDate(_ name: String) throws(JWTError) -> Double? {
        guard let claim = members[name] else { return nil }
        guard case .number(let literal) = claim, let seconds = Double(literal), seconds.isFinite else {
            throw .claim(name, "is no number of seconds")
        }
        return seconds
    }
}
