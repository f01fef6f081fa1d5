import Synchronization

/// The time from a process's start to its crash. Every effect of the process on the world outside goes through ``step(_:)``:
/// after the crash nothing reaches the world, although the process's tasks still run to their end.
final class ProcessLife: Sendable {
    struct Ended: Error {}

    private let world: SimulatedWorld
    private let number: Int
    private let ended = Mutex(false)
    /// The identifier of the request that charges each order, by the order's reference.
    private let charging = Mutex<[String: String]>([:])

    init(world: SimulatedWorld, number: Int) {
        self.world = world
        self.number = number
    }

    var isOver: Bool { ended.withLock { $0 } }

    /// Marks an order as being charged, from its claim until the process knows the outcome of the charge.
    func beginsCharging(_ reference: String, for request: String) {
        charging.withLock { $0[reference] = request }
    }

    func endsCharging(_ reference: String) {
        charging.withLock { $0[reference] = nil }
    }

    func endsCharging(_ reference: String, for request: String?) {
        charging.withLock { charging in
            if charging[reference] == request { charging[reference] = nil }
        }
    }

    func isCharging(_ reference: String) -> Bool {
        charging.withLock { $0[reference] != nil }
    }

    /// Lets time pass between two steps of the process. The process may crash here.
    func step(_ next: String, after pause: Duration? = nil) async throws(Ended) {
        await world.timeline.sleep(pause ?? world.chance.duration(in: 0...5))
        if isOver { throw Ended() }
        if world.strikes(\.crash) {
            ended.withLock { $0 = true }
            world.note("process \(number) crashes, next was: \(next)")
            throw Ended()
        }
    }
}
