import AccessControl

/// How clients authenticate: with API keys, with JWTs, or with both.
public struct AccessPolicy: Sendable {
    let apiKeys: APIKeys
    let tokens: JWTPolicy
    let tokenKeys: [JWTKey]
    /// Where more keys for tokens are.
    let tokenKeysURL: String?
    /// The same settings with their files as they are now.
    let readAnew: @Sendable () throws(ConfigurationError) -> AccessPolicy

    /// - Parameter remote: the keys at the URL.
    func authenticator(remote: RemoteKeys?) -> Authenticator {
        guard !tokenKeys.isEmpty || remote != nil else { return Authenticator(keys: apiKeys, tokens: nil) }
        return Authenticator(
            keys: apiKeys, tokens: JWTVerifier(policy: tokens, keys: tokenKeys, remote: remote))
    }
}
