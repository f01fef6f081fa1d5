import AccessControl
import Logging
import OutboundHTTP
import Synchronization

/// What clients authenticate with. Its files can be read anew while requests are under way: the next request already meets
/// what they say.
final class ReloadableAuthenticator: Sendable {
    private let policy: AccessPolicy
    private let remote: RemoteKeys?
    private let present: Mutex<Authenticator>

    init(_ policy: AccessPolicy, fetchingWith client: OutboundClient, logger: Logger) {
        self.policy = policy
        remote = policy.tokenKeysURL.map { RemoteKeys(url: $0, client: client, logger: logger) }
        present = Mutex(policy.authenticator(remote: remote))
    }

    /// - Parameter authorization: the field's whole value; nil where the request has none.
    /// - Throws: ``AuthenticationError``.
    func authenticate(authorization: String?) async throws(AuthenticationError) -> AuthenticatedClient {
        try await present.withLock { $0 }.authenticate(authorization: authorization)
    }

    /// Reads the files again; what was read before stays where anything is wrong with them.
    ///
    /// - Returns: how many keys there are now, without those at the URL.
    /// - Throws: ``ConfigurationError``.
    func reload() throws(ConfigurationError) -> (apiKeys: Int, tokenKeys: Int) {
        let new = try policy.readAnew()
        let authenticator = new.authenticator(remote: remote)
        present.withLock { $0 = authenticator }
        return (new.apiKeys.entries.count, new.tokenKeys.count)
    }
}
