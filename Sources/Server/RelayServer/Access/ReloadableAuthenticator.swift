public import AccessControl
import Synchronization

/// Authenticates clients with keys that can be read again while requests are under way: the next request is authenticated with
/// the new ones.
public final class ReloadableAuthenticator: Sendable {
    private let present: Mutex<Authenticator>

    public init(_ authenticator: Authenticator) {
        present = Mutex(authenticator)
    }

    /// - Parameter authorization: the field's whole value; nil where the request has none.
    /// - Throws: ``AuthenticationError``.
    func authenticate(authorization: String?) async throws(AuthenticationError) -> AuthenticatedClient {
        try await present.withLock { $0 }.authenticate(authorization: authorization)
    }

    /// Uses other keys from now on.
    public func replace(with authenticator: Authenticator) {
        present.withLock { $0 = authenticator }
    }
}
