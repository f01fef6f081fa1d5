import PayrelayPrimitives

/// The checks on a JWT's `exp`, `nbf` and `iat` (RFC 7519, 4.1.4 to 4.1.6), with leeway for the issuer's clock:
///
/// - `exp` is required and must not have passed.
/// - `exp` must not be further from now than the limit of the policy.
/// - If there is an `nbf`, it must have come.
/// - If there is an `iat`, it must have come, and the time from `iat` to `exp` must not exceed the limit.
extension JWTClaims {
    /// Checks the lifetime of the token.
    ///
    /// - Parameter now: the current time in seconds since 1970.
    func checkLifetime(against policy: JWTPolicy, at now: Double) throws(JWTError) {
        let skew = policy.clockSkew / .seconds(1)
        guard let expiry = try numericDate("exp") else { throw .claim("exp", "is missing") }
        guard now < expiry + skew else { throw .claim("exp", "has passed") }
        try checkLifetimeLimit(until: expiry, against: policy, at: now)
        if let start = try numericDate("nbf"), now < start - skew { throw .claim("nbf", "has not come") }
    }

    /// Checks that the token is not valid for longer than the policy allows, because a stolen token is valid
    /// until it expires. The issuer chooses `iat`, so it can only make the check stricter.
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

    /// Returns a NumericDate claim: seconds since 1970, possibly with a fraction.
    func numericDate(_ name: String) throws(JWTError) -> Double? {
        guard let claim = members[name] else { return nil }
        guard case .number(let literal) = claim, let seconds = Double(literal), seconds.isFinite else {
            throw .claim(name, "is not a number of seconds")
        }
        return seconds
    }
}
