import PaymentRelay
import Synchronization

/// The server that has the instances' journal. It fails now and then, and some time later another one takes over, with whatever was
/// committed, because the primary waits for a standby.
final class SimulatedPrimary: Sendable {
    private struct State {
        var isUp = true
        /// How often one has failed: a session ends with its server.
        var failures = 0
    }

    private let world: SimulatedWorld
    private let state = Mutex(State())

    init(world: SimulatedWorld) {
        self.world = world
    }

    /// - Parameter lost: told the moment since when commits are lost, if the primary did not wait for its standby.
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

    /// What a session belongs to; nil while no server takes connections.
    var session: Int? { state.withLock { $0.isUp ? $0.failures : nil } }
}
