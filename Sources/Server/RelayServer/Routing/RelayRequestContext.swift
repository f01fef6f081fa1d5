import AccessControl
import HTTPListener
public import Hummingbird
import NIOCore

/// What a request carries through the router.
public struct RelayRequestContext: RequestContext {
    public var coreContext: CoreRequestContextStorage
    /// Nil before the first middleware.
    var request: OpenRequest?
    /// The client, or why it is not authenticated.
    var authentication = Result<AuthenticatedClient, AuthenticationError>.failure(.missing)
    /// Of the connection: what goes on for the request runs there.
    let executor: any TaskExecutor
    private let channel: any Channel

    var peerAddress: String? { channel.remoteAddress?.ipAddress }
    var localAddress: String? { channel.localAddress?.ipAddress }

    public init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        channel = source.channel
        executor = EventLoopTaskExecutor(source.channel.eventLoop)
    }

    /// Ends the connection, or the stream of HTTP/2, without the end of the response.
    func abort() { channel.close(promise: nil) }

    /// Tells a client that waits for it to send its body (RFC 9110, 10.1.1).
    func sendContinue() {
        channel.triggerUserOutboundEvent(BodyWanted(), promise: nil)
    }
}
