public import FoundationEssentials
import OutboundHTTP
public import PayrelayPrimitives
import Synchronization

/// Sends requests to Apple's hosts with the merchant identity that is in use at the time. After a reload, or when
/// a certificate expires, the next request uses another identity, on new connections. Requests under way continue
/// with the old identity.
public final class IdentityTransport: SessionTransport {
    private struct Connected {
        let identity: MerchantIdentity
        let client: OutboundClient
    }

    private let settings: SessionSettings
    private let now: @Sendable () -> Date
    /// The client of the last request; `nil` before the first request.
    private let connected = Mutex<Connected?>(nil)

    public init(_ settings: SessionSettings, now: @escaping @Sendable () -> Date = { Date() }) {
        self.settings = settings
        self.now = now
    }

    public func post(
        _ body: [UInt8], to endpoint: SessionEndpoint, timeout: Duration
    ) async -> Outcome<(status: Int, body: [UInt8])> {
        await client(showing: settings.identities.inUse(at: now())).post(body, to: endpoint, timeout: timeout)
    }

    private func client(showing identity: MerchantIdentity) -> OutboundClient {
        connected.withLock { connected in
            if let connected, connected.identity == identity { return connected.client }
            // The old client closes its connections when its last request has ended.
            let client = OutboundClient(settings.outbound(as: identity))
            connected = Connected(identity: identity, client: client)
            return client
        }
    }

    /// Aborts the requests under way and closes every connection.
    public func shutdown() {
        connected.withLock { $0 }?.client.shutdown()
    }
}
