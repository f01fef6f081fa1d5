public import AccessControl
public import HTTPListener
public import Hummingbird
import Logging
import NIOCore

/// What a request carries through middleware and endpoints.
public struct RelayRequestContext: AddressedRequestContext {
    public var coreContext: CoreRequestContextStorage
    /// The client's address, without a port: the peer's, or the one that a trusted proxy reports.
    public internal(set) var clientAddress: String?
    /// The client, or why it is not authenticated.
    var authentication = Result<AuthenticatedClient, AuthenticationError>.failure(.missing)
    /// The client that is authorized for the route; nil where clients do not authenticate.
    public internal(set) var client: AuthenticatedClient?
    /// What goes on for it after its response.
    public let carriedOn = CarriedOn()

    private let channel: any Channel

    public var localAddress: String? { channel.localAddress?.ipAddress }

    public init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        channel = source.channel
        clientAddress = source.channel.remoteAddress?.ipAddress
    }

    /// Tells a client that waits for it to send its body (RFC 9110, 10.1.1).
    func sendContinue() {
        channel.triggerUserOutboundEvent(BodyWanted(), promise: nil)
    }
}
