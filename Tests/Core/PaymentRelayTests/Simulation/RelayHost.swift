import JournalContract
import PaymentRelay
import Synchronization

/// The machines on which the relay's instances run: the shared database, and the supervisor that starts a process again after
/// it has ended.
final class RelayHost: Sendable {
    /// Longer than any request stays on its way (``SimulatedNetwork/longestTransit``).
    static let notFoundAfter = Duration.seconds(60)
    /// Longer than any operation stays on its way and then on hold.
    static let operationNotFoundAfter = Duration.seconds(240)

    let world: SimulatedWorld
    let disk = MemoryJournal()
    let primary: SimulatedPrimary
    let fort: SimulatedFort
    let backend = Backend()
    let network: SimulatedNetwork
    let bug: PlantedBug?
    private let running = Mutex<[Int: RelayProcess]>([:])
    private let processes = Mutex(0)
    private let activeClients = Mutex(0)
    private let received = Mutex<[ReceivedAnswer]>([])
    private let receivedOperations = Mutex<[ReceivedOperationAnswer]>([])

    init(world: SimulatedWorld, bug: PlantedBug?) {
        self.world = world
        self.bug = bug
        fort = SimulatedFort(world: world)
        primary = SimulatedPrimary(world: world)
        network = SimulatedNetwork(world: world)
    }

    /// The process that the load balancer chooses for a caller, or `nil` if no process runs.
    var process: RelayProcess? {
        let alive = running.withLock { $0.sorted { $0.key < $1.key }.map(\.value).filter { !$0.life.isOver } }
        return alive.isEmpty ? nil : alive[world.chance.number(in: 0...alive.count - 1)]
    }

    /// The answers that clients received, in order.
    var receivedAnswers: [ReceivedAnswer] { received.withLock { $0 } }

    func receives(_ answer: ReceivedAnswer) {
        received.withLock { $0.append(answer) }
    }

    /// The answers that merchants received, in order.
    var receivedOperationAnswers: [ReceivedOperationAnswer] { receivedOperations.withLock { $0 } }

    func receives(_ answer: ReceivedOperationAnswer) {
        receivedOperations.withLock { $0.append(answer) }
    }

    /// Runs a client, and keeps the instances running until the client has ended.
    func keepRunning(_ client: () async -> Void) async {
        activeClients.withLock { $0 += 1 }
        await client()
        activeClients.withLock { $0 -= 1 }
    }

    /// Keeps the instances running until all callers are gone, nothing is on its way to FORT, no payment is open, no hint waits
    /// and every event is delivered.
    func run(_ instances: Int) async {
        await withTaskGroup { group in
            for instance in 1...instances {
                group.addTask { await self.keepUp(instance) }
            }
        }
    }

    private func keepUp(_ instance: Int) async {
        while !(await isQuiet()) {
            let number = processes.withLock {
                $0 += 1
                return $0
            }
            world.note("process \(number) starts, of instance \(instance)")
            let process = RelayProcess(number: number, on: self)
            running.withLock { $0[instance] = process }
            await process.work(until: isQuiet)
            if process.life.isOver { await world.pause(milliseconds: 10...90_000) }
        }
    }

    private func isQuiet() async -> Bool {
        if world.timeline.now > world.patience { return true }
        guard activeClients.withLock({ $0 == 0 }), network.isAtRest, fort.isAtRest else { return false }
        guard await disk.openPayments(limit: 1).isEmpty else { return false }
        guard await disk.hintSummary().count == 0 else { return false }
        return await disk.eventSummary().undelivered == 0
    }
}
