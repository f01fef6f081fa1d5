import AccessControl
import Hummingbird
import Logging

/// Stands before every route: lets through who may.
struct AccessGate {
    /// Nil where no way to authenticate is configured: then the service listens on loopback only, and callers are not told
    /// apart.
    let credentials: Credentials?

    /// - Returns: who calls; nil where callers are not told apart or need not be.
    /// - Throws: ``Problem`` 401, 403, or 503 where it cannot be said.
    func admit(to admission: Admission, context: RelayRequestContext) throws(Problem) -> Caller? {
        let needed: Scope
        switch admission {
        case .anyone: return nil
        case .callers(let scope), .callersAndOrderTokens(let scope): needed = scope
        }
        guard credentials != nil else { return nil }
        let caller: Caller
        do throws(AuthenticationFault) {
            caller = try context.authentication.get()
        } catch {
            context.logger.notice("not let in", metadata: ["reason": "\(error)"])
            throw Problem(error)
        }
        if case .callers = admission, caller.order != nil { throw .notForOrderTokens }
        guard caller.scopes.contains(needed) else { throw .scopeMissing(needed) }
        return caller
    }
}
