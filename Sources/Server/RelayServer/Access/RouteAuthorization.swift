public import AccessControl
import Logging

/// Who may use a route.
public enum RouteAccess: Sendable, Equatable {
    /// Every client alike, without authentication.
    case anyone
    /// Every client, without authentication, and under the listener's own names only: a page that the listener serves, and what
    /// the page asks of it.
    case ownPage
    /// The processor, which authenticates each message by signing it. Such requests have places of their own and count against no
    /// client's rate, since their sender is known only once the body was read.
    case processor
    /// Clients with this scope that are not held to one order.
    case clients(with: Scope)
    /// Order tokens with this scope as well. A route of payments holds them to their order.
    case clientsAndOrderTokens(with: Scope)
}

/// Authorizes requests by the access of their route.
struct RouteAuthorization {
    /// Nil where no way to authenticate is configured: then the service listens on loopback only, and clients are not
    /// distinguished.
    private let authenticator: ReloadableAuthenticator?
    /// Whether every client must authenticate. Where none must, a JWT that one sends is checked all the same, if there is an
    /// authenticator.
    let isRequired: Bool

    /// - Parameter isRequired: false only on loopback.
    init(authenticator: ReloadableAuthenticator?, isRequired: Bool = true) {
        self.authenticator = authenticator
        self.isRequired = isRequired && authenticator != nil
    }

    /// - Parameter authorization: the field's whole value; nil where the request has none.
    /// - Throws: ``AuthenticationError``, also where nothing was sent that is checked here.
    func authenticate(authorization: String?) async throws(AuthenticationError) -> AuthenticatedClient {
        guard let authenticator, isRequired || Authenticator.hasToken(authorization: authorization) else {
            throw .missing
        }
        return try await authenticator.authenticate(authorization: authorization)
    }

    /// - Returns: the client; nil where clients do not authenticate or need not.
    /// - Throws: ``Problem`` 401, 403, or 503 where the keys cannot be fetched.
    func authorize(
        _ access: RouteAccess, _ authentication: Result<AuthenticatedClient, AuthenticationError>,
        logger: @autoclosure () -> Logger
    ) throws(Problem) -> AuthenticatedClient? {
        let needed: Scope
        switch access {
        case .anyone, .ownPage, .processor: return nil
        case .clients(let scope), .clientsAndOrderTokens(let scope): needed = scope
        }
        let client: AuthenticatedClient
        do throws(AuthenticationError) {
            client = try authentication.get()
        } catch {
            if !isRequired, error == .missing { return nil }
            logger().notice("request refused", metadata: ["reason": "\(error)"])
            throw Problem(error)
        }
        if case .clients = access, client.order != nil { throw .notForOrderTokens }
        guard client.scopes.contains(needed) else { throw .scopeMissing(needed) }
        return client
    }
}
