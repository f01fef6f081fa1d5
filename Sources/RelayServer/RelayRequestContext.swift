import Hummingbird
import Logging
import NIOCore

/// What a request carries through middleware and endpoints.
struct RelayRequestContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    /// The address that the connection comes from, without a port.
    let callerAddress: String?

    init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        callerAddress = source.channel.remoteAddress?.ipAddress
    }
}
