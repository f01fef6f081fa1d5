import HTTPListener
public import Hummingbird
import NIOCore

/// The request context of the public listener.
public struct RelayRequestContext: RequestContext {
    public var coreContext: CoreRequestContextStorage
    /// Runs the work for the request on the event loop of the connection.
    let executor: any TaskExecutor
    private let channel: any Channel

    var peerAddress: String? { channel.remoteAddress?.ipAddress }
    var localAddress: String? { channel.localAddress?.ipAddress }

    public init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        channel = source.channel
        executor = EventLoopTaskExecutor(source.channel.eventLoop)
    }

    /// Sends 100 (Continue) if the client waits for it before it sends the body (RFC 9110, 10.1.1).
    func sendContinue() {
        channel.triggerUserOutboundEvent(BodyWanted(), promise: nil)
    }
}
