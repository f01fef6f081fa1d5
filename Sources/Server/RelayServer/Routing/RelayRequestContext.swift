import HTTPListener
public import Hummingbird
import NIOCore

/// The request context of the public listener.
public struct RelayRequestContext: RequestContext {
    public var coreContext: CoreRequestContextStorage
    /// The connection's: the work for the request runs there.
    let executor: any TaskExecutor
    private let channel: any Channel

    var peerAddress: String? { channel.remoteAddress?.ipAddress }
    var localAddress: String? { channel.localAddress?.ipAddress }

    public init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        channel = source.channel
        executor = EventLoopTaskExecutor(source.channel.eventLoop)
    }

    /// Tells a client that waits for it to send its body (RFC 9110, 10.1.1).
    func sendContinue() {
        channel.triggerUserOutboundEvent(BodyWanted(), promise: nil)
    }
}
