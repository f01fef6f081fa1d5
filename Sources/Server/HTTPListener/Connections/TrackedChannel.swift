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
    private let acceptedAt = NIODeadline.now().seconds
    /// When the connection came to its present state, in seconds of the monotonic clock.
    private let since = Atomic(Int64(0))
    private let end: @Sendable (ListenerCapacity.Shed) -> Void

    /// - Parameter end: closes the connection. May be called on any thread.
    init(holder: PeerNetwork?, end: @escaping @Sendable (ListenerCapacity.Shed) -> Void) {
        self.holder = holder
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

    /// Whether the client has read nothing of its response for more than two seconds. A phone's network rarely
    /// pauses longer than that.
    var isStalled: Bool {
        standing == .unread && hasStood
    }

    /// Whether the connection has had no request for more than two seconds.
    var isResting: Bool { standing == .idle && hasStood }

    private var hasStood: Bool { NIODeadline.now().seconds - since.load(ordering: .relaxed) > 2 }

    /// Whether the connection was accepted within about a second: its request may be on the way.
    var isNew: Bool { NIODeadline.now().seconds - acceptedAt <= 1 }

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
