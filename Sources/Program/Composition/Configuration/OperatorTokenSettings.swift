import AccessControl
import Logging
import OutboundHTTP
import PayrelayPrimitives
import Settings

/// The settings for operators whom an authenticating proxy signs in to the console.
public struct OperatorTokenPolicy: Sendable {
    let header: String
    /// The URL at which the identity provider publishes its keys.
    public let keysURL: String
    let policy: JWTPolicy
    let nameClaim: String
    let roleClaim: String
    let roles: [String: OperatorRole]
    let signOutURL: String?

    /// Returns the authentication of operators with these settings.
    ///
    /// - Parameter client: fetches the keys.
    func tokens(fetchingWith client: OutboundClient, logger: Logger) -> OperatorTokens {
        OperatorTokens(
            header: header,
            verifier: JWTVerifier(
                policy: policy, keys: [], remote: RemoteKeys(url: keysURL, client: client, logger: logger)),
            nameClaim: nameClaim, roleClaim: roleClaim, roles: roles, signOutURL: signOutURL)
    }
}

extension SettingReader {
    /// Reads the settings; `nil` if no proxy signs operators in.
    mutating func operatorTokens() -> OperatorTokenPolicy? {
        let header = optional(.operatorTokensHeader) { name in
            name.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || $0 == UInt8(ascii: "-") } ? name : nil
        }
        let settings: [Setting] = [
            .operatorTokensKeysURL, .operatorTokensIssuer, .operatorTokensAudience, .operatorTokensRoles,
        ]
        guard isSet(.operatorTokensHeader) else {
            for setting in settings where isSet(setting) {
                fail(setting, "is without effect: PAYRELAY_OPERATOR_TOKENS_HEADER is not set")
            }
            return nil
        }
        for setting in settings where !isSet(setting) {
            fail(setting, "is missing: PAYRELAY_OPERATOR_TOKENS_HEADER is set")
        }
        let url = optional(.operatorTokensKeysURL) { OutboundRequest.takes(url: $0) ? $0 : nil }
        let leave = optional(.operatorTokensSignOutURL) { OutboundRequest.takes(url: $0) ? $0 : nil }
        let roles = operatorRoles()
        guard let header, let url, let issuer = text(.operatorTokensIssuer),
            let audience = text(.operatorTokensAudience)
        else { return nil }
        return OperatorTokenPolicy(
            header: header, keysURL: url, policy: JWTPolicy(audience: audience, issuer: issuer),
            nameClaim: value(.operatorTokensNameClaim) { $0 }, roleClaim: value(.operatorTokensRoleClaim) { $0 },
            roles: roles, signOutURL: leave)
    }

    private mutating func operatorRoles() -> [String: OperatorRole] {
        var roles: [String: OperatorRole] = [:]
        for item in list(.operatorTokensRoles) {
            let (group, role) = item.cut(at: "=")
            guard let role = role.flatMap({ OperatorRole(rawValue: String($0)) }), !group.isEmpty else {
                let known = OperatorRole.allCases.map(\.rawValue).joined(separator: ", ")
                fail(.operatorTokensRoles, "has \"\(item)\", which is not GROUP=ROLE; roles are \(known)")
                continue
            }
            roles[String(group)] = role
        }
        return roles
    }
}
