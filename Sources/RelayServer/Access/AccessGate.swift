import AccessControl
import HTTPTypes
import Hummingbird
import Logging

/// Stands before every route: says who calls, and lets through who may.
struct AccessGate {
    /// Nil where no way to authenticate is configured: then the service listens on loopback only, and callers are not told
    /// apart.
    let authenticator: Authenticator?

    /// - Returns: who calls; nil where callers are not told apart or need not be.
    /// - Throws: ``Problem`` 401, 403, or 503 where it cannot be said.
    func admit(_ request: Request, to admission: Admission, context: RelayRequestContext) async throws -> Caller? {
        let needed: Scope
        switch admission {
        case .anyone: return nil
        case .callers(let scope), .callersAndOrderTokens(let scope): needed = scope
        }
        guard let authenticator else { return nil }
        let caller: Caller
        do throws(AuthenticationFault) {
            caller = try await authenticator.caller(authorization: request.headers[.authorization])
        } catch {
            context.logger.notice("not let in", metadata: ["reason": "\(error)"])
            throw Problem(error)
        }
        if case .callers = admission, caller.order != nil { throw Problem.notForOrderTokens }
        guard caller.scopes.contains(needed) else { throw Problem.scopeMissing(needed) }
        return caller
    }
}
