import HTTPGuard
import Hummingbird
import NIOCore

/// What a request to the admin listener carries.
struct AdminRequestContext: AddressedRequestContext {
    var coreContext: CoreRequestContextStorage
    private let channel: any Channel

    var localAddress: String? { channel.localAddress?.ipAddress }

    init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        channel = source.channel
    }
}
