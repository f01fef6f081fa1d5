import AccessControl
import Hummingbird
import Logging

/// Stands before every route: lets through who may.
struct AccessGate {
    /// Nil where no way to authenticate is configured: then the service listens on loopback only, and clients are not told
    /// apart.
    let authenticator: ReloadableAuthenticator?

    /// - Returns: who calls; nil where clients are not told apart or need not be.
    /// - Throws: ``Problem`` 401, 403, or 503 where it cannot be said.
    func admit(to access: RouteAccess, context: RelayRequestContext) throws(Problem) -> AuthenticatedClient? {
        let needed: Scope
        switch access {
        case .anyone: return nil
        case .clients(let scope), .clientsAndOrderTokens(let scope): needed = scope
        }
        guard authenticator != nil else { return nil }
        let client: AuthenticatedClient
        do throws(AuthenticationError) {
            client = try context.authentication.get()
        } catch {
            context.logger.notice("request refused", metadata: ["reason": "\(error)"])
            throw Problem(error)
        }
        if case .clients = access, client.order != nil { throw .notForOrderTokens }
        guard client.scopes.contains(needed) else { throw .scopeMissing(needed) }
        return client
    }
}
