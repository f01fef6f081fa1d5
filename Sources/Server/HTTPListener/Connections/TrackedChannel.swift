import NIOCore
import Synchronization

/// A connection as eviction sees it: its state, and the means to close it.
final class TrackedChannel: Sendable {
    typealias Standing = ConnectionEviction<TrackedChannel, PeerNetwork>.Standing

    /// The network that the connection counts for; `nil` for the connection of a trusted proxy, which carries
    /// many clients.
    let holder: PeerNetwork?
    private let state = Atomic(Standing.idle.rawValue)
    private let used = Atomic(false)
    /// When the connection was accepted, in seconds of the monotonic clock.
    private let acceptedAt: Int64
    /// When the connection came to its present state, in seconds of the monotonic clock.
    private let since: Atomic<Int64>
    private let end: @Sendable (ListenerCapacity.Shed) -> Void

    /// - Parameter end: closes the connection. May be called on any thread.
    init(holder: PeerNetwork?, end: @escaping @Sendable (ListenerCapacity.Shed) -> Void) {
        self.holder = holder
        acceptedAt = NIODeadline.now().seconds
        since = Atomic(acceptedAt)
        self.end = end
    }

    var standing: Standing {
        // Safe: only raw values of `Standing` are stored.
        get { Standing(rawValue: state.load(ordering: .relaxed)) ?? .answering }
        set {
            since.store(NIODeadline.now().seconds, ordering: .relaxed)
            state.store(newValue.rawValue, ordering: .relaxed)
        }
    }

    /// How long the connection has been as it is, as far as the choice of a victim needs to know. A connection is new for
    /// about a second, in which its request may be on the way. A phone's network rarely pauses for more than two seconds.
    var phase: ConnectionEviction<TrackedChannel, PeerNetwork>.Phase {
        let now = NIODeadline.now().seconds
        if now - since.load(ordering: .relaxed) > 2 {
            switch standing {
            case .unread: return .stalled
            case .idle: return .resting
            case .receiving, .answering: break
            }
        }
        return now - acceptedAt <= 1 ? .new : .other
    }

    func markUsed() { used.store(true, ordering: .relaxed) }

    /// Returns the connection's state, and whether it had a request since the last call.
    func look() -> ConnectionEviction<TrackedChannel, PeerNetwork>.Look {
        .init(standing: standing, wasUsed: used.exchange(false, ordering: .relaxed))
    }

    func end(for reason: ListenerCapacity.Shed) { end(reason) }
}

extension TrackedChannel: Hashable {
    static func == (left: TrackedChannel, right: TrackedChannel) -> Bool { left === right }

    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension NIODeadline {
    fileprivate var seconds: Int64 { Int64(uptimeNanoseconds / 1_000_000_000) }
}
