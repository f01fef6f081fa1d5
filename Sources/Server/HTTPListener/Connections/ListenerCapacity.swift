import Synchronization

/// A listener's capacity for all its clients: the number of connections, and the bytes that it holds for them. If
/// either limit is exceeded, a connection of the address with the largest share is closed.
public final class ListenerCapacity: Sendable {
    /// The resource whose limit caused a connection to be closed.
    public enum Shed: String, Sendable, CaseIterable {
        case connection, bytes
    }

    public let limits: ListenerLimits
    let connections: ChannelRegistry
    let bytes: ByteRegistry
    let proxies: TrustedProxies
    let isDraining: @Sendable () -> Bool
    let respond: @Sendable (ListenerRejection) -> Answer

    /// - Parameters:
    ///   - proxies: the proxies whose connections do not count for a single address.
    ///   - isDraining: whether the listener closes soon. If so, each connection is closed with its next response,
    ///     so that no client sends a request on a connection that is just being closed.
    ///   - observe: called for each connection that is closed to make room.
    ///   - respond: returns the response to a request that reaches no route.
    public init(
        limits: ListenerLimits, proxies: TrustedProxies = TrustedProxies(),
        isDraining: @escaping @Sendable () -> Bool = { false },
        observe: @escaping @Sendable (Shed) -> Void = { _ in },
        respond: @escaping @Sendable (ListenerRejection) -> Answer
    ) {
        self.limits = limits
        self.proxies = proxies
        self.isDraining = isDraining
        self.respond = respond
        connections = ChannelRegistry(limit: limits.connections, observe: observe)
        bytes = ByteRegistry(limit: limits.bodyBytesTotal, observe: observe)
    }

    /// Returns the network that a connection counts for; `nil` for the connection of a trusted proxy.
    func holder(at peer: String?) -> PeerNetwork? {
        guard let peer, !proxies.trusts(peer) else { return nil }
        return PeerNetwork(address: peer)
    }
}

/// The connections of a listener. Its lock is taken when a connection opens or closes, but not for each request.
final class ChannelRegistry: Sendable {
    private let shares: Mutex<ConnectionEviction<TrackedChannel, PeerNetwork>>
    private let isOverLimit = Atomic(false)
    private let observe: @Sendable (ListenerCapacity.Shed) -> Void

    init(limit: Int, observe: @escaping @Sendable (ListenerCapacity.Shed) -> Void) {
        shares = Mutex(ConnectionEviction(limit: limit))
        self.observe = observe
    }

    /// Counts a new connection. If that exceeds the limit, another connection is closed. If no other connection
    /// can be closed, the new one stays, so the listener may accept a few more connections than the limit.
    func add(_ channel: TrackedChannel) {
        relieve(except: channel) { $0.add(channel, of: channel.holder) }
    }

    func remove(_ channel: TrackedChannel) {
        shares.withLock { shares in
            shares.remove(channel)
            isOverLimit.store(shares.isOverLimit, ordering: .relaxed)
        }
    }

    func markServed(_ channel: TrackedChannel) { shares.withLock { $0.markServed(channel) } }

    /// Keeps a connection that was chosen to be closed, because its request is being answered by now, and chooses
    /// another one.
    func spare(_ channel: TrackedChannel) { relieve(except: channel) { $0.spare(channel) } }

    /// Called when a connection becomes idle: if there are too many connections, one can now be closed.
    func noteIdle() {
        if isOverLimit.load(ordering: .relaxed) { relieve { _ in } }
    }

    private func relieve(
        except newcomer: TrackedChannel? = nil,
        after change: (inout ConnectionEviction<TrackedChannel, PeerNetwork>) -> Void
    ) {
        let victim = shares.withLock { shares in
            change(&shares)
            let victim =
                shares.isOverLimit
                ? shares.takeVictim(phase: \.phase) {
                    $0 == newcomer ? .init(standing: .answering) : $0.look()
                }
                : nil
            isOverLimit.store(shares.isOverLimit, ordering: .relaxed)
            return victim
        }
        if let victim {
            observe(.connection)
            victim.end(for: .connection)
        }
    }
}

/// The bytes that the listener holds for its connections:
///
/// - heads and bodies that do not arrive at once, or are long;
/// - requests that wait behind another request of the connection;
/// - responses that the client has not read.
///
/// Other requests are not counted; the number of connections bounds them.
final class ByteRegistry: Sendable {
    private let shares: Mutex<ByteEviction<TrackedChannel, PeerNetwork>>
    private let observe: @Sendable (ListenerCapacity.Shed) -> Void

    init(limit: Int, observe: @escaping @Sendable (ListenerCapacity.Shed) -> Void) {
        shares = Mutex(ByteEviction(limit: limit))
        self.observe = observe
    }

    func update(_ channel: TrackedChannel, of holder: PeerNetwork, bytes: Int, isEvictable: Bool) {
        let victims = shares.withLock { $0.update(channel, of: holder, bytes: bytes, isEvictable: isEvictable) }
        for victim in victims {
            observe(.bytes)
            victim.end(for: .bytes)
        }
    }

    func remove(_ channel: TrackedChannel) { shares.withLock { $0.remove(channel) } }
}
