public import HTTPListener
public import Hummingbird
public import NIOCore

/// The context of a sandbox's routes. It provides the connection, which some faults break.
public struct SandboxRequestContext: AddressedRequestContext {
    public var coreContext: CoreRequestContextStorage
    public let channel: any Channel

    public var localAddress: String? { channel.localAddress?.ipAddress }

    public init(source: Source) {
        coreContext = CoreRequestContextStorage(source: source)
        channel = source.channel
    }
}
