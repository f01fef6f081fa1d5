import NIOCore
import Synchronization

/// A connection, as the eviction sees it: its state, and how to end it.
final class TrackedChannel: Sendable {
    typealias Standing = ConnectionEviction<TrackedChannel, PeerNetwork>.Standing

    /// The network that it counts for; nil for a trusted proxy's, which carries many clients.
    let holder: PeerNetwork?
    private let state = Atomic(Standing.idle.rawValue)
    private let used = Atomic(false)
    private let end: @Sendable (ListenerCapacity.Shed) -> Void

    /// - Parameter end: is called on any thread.
    init(holder: PeerNetwork?, end: @escaping @Sendable (ListenerCapacity.Shed) -> Void) {
        self.holder = holder
        self.end = end
    }

    var standing: Standing {
        // Safe: nothing else is stored.
        get { Standing(rawValue: state.load(ordering: .relaxed)) ?? .answering }
        set { state.store(newValue.rawValue, ordering: .relaxed) }
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
