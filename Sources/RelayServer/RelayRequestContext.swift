import AccessControl
import Hummingbird
import Logging
import NIOCore

/// What a request carries through middleware and endpoints.
struct RelayRequestContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    /// Where the caller is, without a port: at the other end of the connection, or where a trusted proxy says.
    var callerAddress: String?
    /// Who calls, or why that is not known.
    var authentication = Result<Caller, AuthenticationFault>.failure(.missing)
    /// Who calls and may use the route; nil where callers are not told apart.
    var caller: Caller?
    /// What goes on for it after its answer.
    let carriedOn = CarriedOn()

    init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        callerAddress = source.channel.remoteAddress?.ipAddress
    }
}
