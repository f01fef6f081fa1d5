import Synchronization

/// A listener's capacity for all its clients: connections, and bytes that it holds for them. If one of them runs out, a connection of the
/// address with the largest share is ended to make room.
public final class ListenerCapacity: Sendable {
    /// The resource for which a connection is ended.
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
    ///   - proxies: whose connections are not limited as those of one address.
    ///   - isDraining: whether the listener closes soon: then each connection ends with its next response, so that no client
    ///     sends on one that closes at that moment.
    ///   - observe: called for each that is ended to make room.
    ///   - respond: makes the response to a request that reaches no route.
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

    /// Returns the network that a connection counts for; nil for a trusted proxy's.
    func holder(at peer: String?) -> PeerNetwork? {
        guard let peer, !proxies.trusts(peer) else { return nil }
        return PeerNetwork(address: peer)
    }
}

/// The connections of a listener. Its lock is taken when one comes and goes, and not for requests.
final class ChannelRegistry: Sendable {
    private let shares: Mutex<ConnectionEviction<TrackedChannel, PeerNetwork>>
    private let isOverLimit = Atomic(false)
    private let observe: @Sendable (ListenerCapacity.Shed) -> Void

    init(limit: Int, observe: @escaping @Sendable (ListenerCapacity.Shed) -> Void) {
        shares = Mutex(ConnectionEviction(limit: limit))
        self.observe = observe
    }

    /// Counts a connection; another goes if that makes too many. If no other can be closed, it stays: the listener accepts a few more than
    /// the limit.
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

    /// It was to be ended, and is being answered by now.
    func spare(_ channel: TrackedChannel) { relieve(except: channel) { $0.spare(channel) } }

    /// To be called when one has nothing to do any more: it may be one too many.
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
                ? shares.takeVictim(isStalled: \.isStalled) { $0 == newcomer ? .init(standing: .answering) : $0.look() }
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

/// What connections make the listener hold: heads and bodies that do not arrive at once, or are long; what waits behind a request; answers
/// that are not read. Other requests are not counted: they are bounded by the number of connections.
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
