import AccessControl
import Logging
import OutboundHTTP

/// How callers authenticate: with API keys, with JWTs, or with both.
public struct AccessPolicy: Sendable {
    let apiKeys: APIKeys
    let tokens: JWTPolicy
    let tokenKeys: [JWTKey]
    /// Where more keys for tokens are.
    let tokenKeysURL: String?

    func authenticator(fetchingWith client: OutboundClient, logger: Logger) -> Authenticator {
        let remote = tokenKeysURL.map { RemoteKeys(url: $0, client: client, logger: logger) }
        guard !tokenKeys.isEmpty || remote != nil else { return Authenticator(keys: apiKeys, tokens: nil) }
        return Authenticator(
            keys: apiKeys, tokens: JWTVerifier(policy: tokens, keys: tokenKeys, remote: remote))
    }
}
