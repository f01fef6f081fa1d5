import NIOCore
import Synchronization

/// A connection, as the eviction sees it: its state, and how to end it.
final class TrackedChannel: Sendable {
    typealias Standing = ConnectionEviction<TrackedChannel, PeerNetwork>.Standing

    /// The network that it counts for; nil for a trusted proxy's, which carries many clients.
    let holder: PeerNetwork?
    private let state = Atomic(Standing.idle.rawValue)
    private let used = Atomic(false)
    /// When it last became unread, in seconds of the monotonic clock.
    private let unreadSince = Atomic(Int64(0))
    private let end: @Sendable (ListenerCapacity.Shed) -> Void

    /// - Parameter end: is called on any thread.
    init(holder: PeerNetwork?, end: @escaping @Sendable (ListenerCapacity.Shed) -> Void) {
        self.holder = holder
        self.end = end
    }

    var standing: Standing {
        // Safe: nothing else is stored.
        get { Standing(rawValue: state.load(ordering: .relaxed)) ?? .answering }
        set {
            if newValue == .unread { unreadSince.store(NIODeadline.now().seconds, ordering: .relaxed) }
            state.store(newValue.rawValue, ordering: .relaxed)
        }
    }

    /// Whether the client has taken nothing of its response for two seconds or more: longer than a phone's network pauses often.
    var isStalled: Bool {
        standing == .unread && NIODeadline.now().seconds - unreadSince.load(ordering: .relaxed) > 2
    }

    func markUsed() { used.store(true, ordering: .relaxed) }

    /// Returns its state, and whether it had a request since the last call.
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
