public import AccessControl
import Logging
import OutboundHTTP
import RelayServer
import Settings

/// The authentication of clients: API keys, JWTs, or both.
public struct AccessPolicy: Sendable {
    public let apiKeys: APIKeys
    let tokens: JWTPolicy
    public let tokenKeys: [JWTKey]
    /// The URL of further keys for JWTs; `nil` if none is set.
    public let tokenKeysURL: String?
    /// Reads the same settings again, with the current content of their files.
    let readAgain: @Sendable () throws(ConfigurationError) -> AccessPolicy

    /// Creates a policy without files, for which reading again gives the same policy.
    public init(apiKeys: APIKeys, tokens: JWTPolicy, tokenKeys: [JWTKey]) {
        self.init(apiKeys: apiKeys, tokens: tokens, tokenKeys: tokenKeys, tokenKeysURL: nil) {
            () throws(ConfigurationError) in
            AccessPolicy(apiKeys: apiKeys, tokens: tokens, tokenKeys: tokenKeys)
        }
    }

    init(
        apiKeys: APIKeys, tokens: JWTPolicy, tokenKeys: [JWTKey], tokenKeysURL: String?,
        readAgain: @escaping @Sendable () throws(ConfigurationError) -> AccessPolicy
    ) {
        self.apiKeys = apiKeys
        self.tokens = tokens
        self.tokenKeys = tokenKeys
        self.tokenKeysURL = tokenKeysURL
        self.readAgain = readAgain
    }

    /// Returns an authenticator with this policy.
    ///
    /// - Parameter remote: the keys at the URL.
    func authenticator(remote: RemoteKeys?) -> Authenticator {
        guard !tokenKeys.isEmpty || remote != nil else { return Authenticator(keys: apiKeys, tokens: nil) }
        return Authenticator(
            keys: apiKeys, tokens: JWTVerifier(policy: tokens, keys: tokenKeys, remote: remote))
    }
}

/// The access policy in use, which can be read again from its files.
final class ReloadableAccess: Sendable {
    let authenticator: ReloadableValue<Authenticator>
    private let policy: AccessPolicy
    private let remote: RemoteKeys?

    init(_ policy: AccessPolicy, fetchingWith client: OutboundClient, logger: Logger) {
        self.policy = policy
        remote = policy.tokenKeysURL.map { RemoteKeys(url: $0, client: client, logger: logger) }
        authenticator = ReloadableValue(policy.authenticator(remote: remote))
    }

    /// Reads the files again. If anything is wrong, the policy that was read before stays in use.
    ///
    /// - Returns: the numbers of keys, not counting those at the URL.
    /// - Throws: ``ConfigurationError`` with every problem.
    func reload() throws(ConfigurationError) -> (apiKeys: Int, tokenKeys: Int) {
        let new = try policy.readAgain()
        authenticator.replace(with: new.authenticator(remote: remote))
        return (new.apiKeys.entries.count, new.tokenKeys.count)
    }
}
