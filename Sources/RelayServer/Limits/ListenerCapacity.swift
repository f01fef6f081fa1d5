import Synchronization

/// What a listener has for its clients together: connections, streams and memory for bodies. Where it runs out, the address that
/// has the most gives some of it back, and a newcomer is let in.
final class ListenerCapacity: Sendable {
    let limits: ListenerLimits
    let connections: ChannelRegistry
    let streams: ChannelRegistry
    let bodies: BodyRegistry
    let proxies: TrustedProxies
    private let observe: @Sendable (HeldChannel.Reason) -> Void

    /// - Parameter observe: is told of each that is ended to make room.
    init(
        limits: ListenerLimits, proxies: TrustedProxies = TrustedProxies(),
        observe: @escaping @Sendable (HeldChannel.Reason) -> Void = { _ in }
    ) {
        self.limits = limits
        self.proxies = proxies
        self.observe = observe
        connections = ChannelRegistry(limit: limits.connections, reason: .connection, observe: observe)
        streams = ChannelRegistry(limit: limits.connections, reason: .stream, observe: observe)
        bodies = BodyRegistry(limit: limits.bodyBytesTotal, observe: observe)
    }

    /// Whose a connection is; nil for a trusted proxy's.
    func holder(at peer: String?) -> RequestSender? {
        guard let peer, !proxies.trusts(peer) else { return nil }
        return RequestSender(address: peer)
    }
}

/// The connections of a listener, or its streams of HTTP/2. Its lock is taken when one comes and goes, and not for requests.
final class ChannelRegistry: Sendable {
    private let shares: Mutex<ConnectionShares<HeldChannel, RequestSender>>
    private let isOverLimit = Atomic(false)
    private let reason: HeldChannel.Reason
    private let observe: @Sendable (HeldChannel.Reason) -> Void

    init(limit: Int, reason: HeldChannel.Reason, observe: @escaping @Sendable (HeldChannel.Reason) -> Void) {
        shares = Mutex(ConnectionShares(limit: limit))
        self.reason = reason
        self.observe = observe
    }

    /// - Returns: whether there is room for it, if need be because another goes. It counts in any case.
    func add(_ channel: HeldChannel) -> Bool {
        relieve(except: channel) { $0.add(channel, of: channel.holder) }
    }

    func remove(_ channel: HeldChannel) {
        shares.withLock { shares in
            shares.remove(channel)
            isOverLimit.store(shares.isOverLimit, ordering: .relaxed)
        }
    }

    func markServed(_ channel: HeldChannel) { shares.withLock { $0.markServed(channel) } }

    /// It was to be ended, and is being answered by now.
    func spare(_ channel: HeldChannel) { _ = relieve(except: channel) { $0.spare(channel) } }

    /// To be called when one has nothing to do any more: it may be one too many.
    func noteIdle() {
        if isOverLimit.load(ordering: .relaxed) { _ = relieve { _ in } }
    }

    private func relieve(
        except newcomer: HeldChannel? = nil, after change: (inout ConnectionShares<HeldChannel, RequestSender>) -> Void
    ) -> Bool {
        let (hasRoom, victim) = shares.withLock { shares in
            change(&shares)
            let victim =
                shares.isOverLimit
                ? shares.takeVictim { $0 == newcomer ? .init(standing: .answering) : $0.look() } : nil
            isOverLimit.store(shares.isOverLimit, ordering: .relaxed)
            return (!shares.isOverLimit, victim)
        }
        if let victim {
            observe(reason)
            victim.end(for: reason)
        }
        return hasRoom
    }
}

/// The bodies that do not come whole at once, or are long. Others are not counted: what is kept of them is bounded by the number
/// of connections.
final class BodyRegistry: Sendable {
    private let shares: Mutex<BodyShares<HeldChannel, RequestSender>>
    private let observe: @Sendable (HeldChannel.Reason) -> Void

    init(limit: Int, observe: @escaping @Sendable (HeldChannel.Reason) -> Void) {
        shares = Mutex(BodyShares(limit: limit))
        self.observe = observe
    }

    func update(_ channel: HeldChannel, of holder: RequestSender, bytes: Int, isComing: Bool) {
        let victims = shares.withLock { $0.update(channel, of: holder, bytes: bytes, isComing: isComing) }
        for victim in victims {
            observe(.body)
            victim.end(for: .body)
        }
    }

    func remove(_ channel: HeldChannel) { shares.withLock { $0.remove(channel) } }
}
