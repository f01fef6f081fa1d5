import PayrelayPrimitives

/// The operators whom an authenticating proxy has signed in. With each request it sends a JWT of the merchant's identity provider, which
/// names the operator and has the role among its claims.
public struct OperatorTokens: Sendable {
    /// The header with the token: alone, or after `Bearer `.
    public let header: String
    /// Where the proxy or the provider ends its own session; nil where nothing is known of that.
    public let signOutURL: String?
    private let verifier: JWTVerifier
    private let nameClaim: String
    private let roleClaim: String
    private let roles: [String: OperatorRole]

    /// - Parameters:
    ///   - verifier: its policy demands an audience and an issuer.
    ///   - nameClaim: the claim with the operator's name.
    ///   - roleClaim: the claim with the operator's groups: a text, or an array of them.
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

    /// - Parameter value: of the header.
    /// - Returns: the operator, with the highest role of a group, and when the token ends, in seconds since 1970.
    /// - Throws: ``JWTError``, for the first check that fails.
    package func signedIn(by value: String) async throws(JWTError) -> (operator: OperatorEntry, until: Double) {
        let verified = try await verifier.claims(of: String(value.after("Bearer ") ?? value[...]))
        let claims = verified.members
        guard let name = claims[nameClaim]?.stringValue else { throw .claim(nameClaim, "is missing") }
        // At many providers everybody can enter any email for themselves. Some write the answer as a text.
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
