import AccessControl
import HTTPGuard
import Hummingbird
import Logging
import NIOCore

/// What a request carries through middleware and endpoints.
struct RelayRequestContext: AddressedRequestContext {
    var coreContext: CoreRequestContextStorage
    /// Where the client is, without a port: at the other end of the connection, or where a trusted proxy says.
    var clientAddress: String?
    /// Who calls, or why that is not known.
    var authentication = Result<AuthenticatedClient, AuthenticationError>.failure(.missing)
    /// Who calls and may use the route; nil where clients are not told apart.
    var client: AuthenticatedClient?
    /// What goes on for it after its answer.
    let carriedOn = CarriedOn()

    private let channel: any Channel

    /// Whether it is FORT's feedback, or passes for it: who sent it is known once its body has been read.
    var isFeedback: Bool { endpointPath.map { ReceiveFeedback.paths.contains($0) } ?? false }
    var localAddress: String? { channel.localAddress?.ipAddress }

    init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        channel = source.channel
        clientAddress = source.channel.remoteAddress?.ipAddress
    }

    /// Tells a client that waits for it to send its body (RFC 9110, 10.1.1).
    func sendContinue() {
        channel.triggerUserOutboundEvent(BodyWanted(), promise: nil)
    }
}
