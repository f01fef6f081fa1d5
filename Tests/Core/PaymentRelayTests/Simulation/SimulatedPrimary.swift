import PaymentRelay
import Synchronization

/// The database server with the instances' journal. It fails now and then, and some time later a standby takes over with every
/// committed change, because the primary waits for a standby.
final class SimulatedPrimary: Sendable {
    private struct State {
        var isUp = true
        /// The number of failures so far. A session ends with its server.
        var failures = 0
    }

    private let world: SimulatedWorld
    private let state = Mutex(State())

    init(world: SimulatedWorld) {
        self.world = world
    }

    /// - Parameter lost: Called at each failure with the time. If the primary did not wait for its standby, the newest commits
    ///   are lost.
    func work(lost: (Duration) async -> Void) async {
        while world.timeline.now < world.faultsEnd {
            await world.pause(milliseconds: 1_000...60_000)
            guard world.strikes(\.failover) else { continue }
            world.note("database: the primary fails")
            state.withLock { $0 = State(isUp: false, failures: $0.failures + 1) }
            await lost(world.timeline.now)
            await world.timeline.sleep(world.chance.duration(upTo: .seconds(90)))
            world.note("database: a standby takes over")
            state.withLock { $0.isUp = true }
        }
    }

    /// The number of the current server, to which a session belongs, or `nil` while no server takes connections.
    var session: Int? { state.withLock { $0.isUp ? $0.failures : nil } }
}
