import PayrelayPrimitives

/// Authenticates operators whom an authenticating proxy has signed in. With each request the proxy sends a JWT
/// from the merchant's identity provider, whose claims have the operator's name and role.
public struct OperatorTokens: Sendable {
    /// The header field with the token, which may follow `Bearer `.
    public let header: String
    /// The URL that ends the session at the proxy or the identity provider; `nil` if it is not configured.
    public let signOutURL: String?
    private let verifier: JWTVerifier
    private let nameClaim: String
    private let roleClaim: String
    private let roles: [String: OperatorRole]

    /// - Parameters:
    ///   - verifier: verifies the tokens. Its policy must require an audience and an issuer.
    ///   - nameClaim: the claim with the operator's name.
    ///   - roleClaim: the claim with the operator's groups: a text, or an array of texts.
    ///   - roles: the role of each group.
    public init(
        header: String, verifier: JWTVerifier, nameClaim: String, roleClaim: String, roles: [String: OperatorRole],
        signOutURL: String? = nil
    ) {
        self.header = header
        self.signOutURL = signOutURL
        self.verifier = verifier
        self.nameClaim = nameClaim
        self.roleClaim = roleClaim
        self.roles = roles
    }

    /// Authenticates the operator whom a token names.
    ///
    /// - Parameter value: the value of the header field.
    /// - Returns: the operator, with the highest role of the operator's groups, and when the token expires, in
    ///   seconds since 1970.
    /// - Throws: ``JWTError`` for the first check that fails.
    package func signedIn(by value: String) async throws(JWTError) -> (operator: OperatorEntry, until: Double) {
        let verified = try await verifier.claims(of: String(value.after("Bearer ") ?? value[...]))
        let claims = verified.members
        guard let name = claims[nameClaim]?.stringValue else { throw .claim(nameClaim, "is missing") }
        // Many providers let users enter any email address for themselves. Some providers write the claim as a
        // text.
        let isVerified = claims["email_verified"].map { $0 == true || $0 == "true" } ?? true
        guard nameClaim != "email" || isVerified else {
            throw .claim("email", "is not verified")
        }
        let groups = claims[roleClaim]?.arrayValue ?? claims[roleClaim].map { [$0] } ?? []
        guard let role = groups.compactMap({ $0.stringValue.flatMap { roles[$0] } }).max() else {
            throw .claim(roleClaim, "has no group that is a role of the console")
        }
        guard let until = try verified.numericDate("exp") else { throw .claim("exp", "is missing") }
        do throws(KeyEntryError<OperatorRole>) {
            return (try OperatorEntry(name: name, permission: role, digest: []), until)
        } catch {
            throw .claim(nameClaim, "cannot name an operator")
        }
    }
}
