import JournalContract
import PaymentRelay
import Synchronization

/// The machine that the relay runs on: it holds the disk, and starts the process again when it has ended.
final class RelayHost: Sendable {
    /// Longer than anything stays on its way (``SimulatedNetwork/longestTransit``).
    static let notFoundAfter = Duration.seconds(60)
    /// Longer than anything stays on its way and then on hold.
    static let operationNotFoundAfter = Duration.seconds(240)
    /// What is open by then stays open.
    static let patience = Duration.seconds(10_000)

    let world: SimulatedWorld
    let disk = MemoryJournal()
    let fort: SimulatedFort
    let backend = Backend()
    let network: SimulatedNetwork
    let bug: PlantedBug?
    private let running = Mutex<RelayProcess?>(nil)
    private let activeClients = Mutex(0)
    private let received = Mutex<[ReceivedAnswer]>([])
    private let receivedOperations = Mutex<[ReceivedOperationAnswer]>([])

    init(world: SimulatedWorld, bug: PlantedBug?) {
        self.world = world
        self.bug = bug
        fort = SimulatedFort(world: world)
        network = SimulatedNetwork(world: world)
    }

    /// The process that answers callers; nil while there is none.
    var process: RelayProcess? { running.withLock { $0.flatMap { $0.life.isOver ? nil : $0 } } }

    /// What clients were answered, in that order.
    var receivedAnswers: [ReceivedAnswer] { received.withLock { $0 } }

    func receives(_ answer: ReceivedAnswer) {
        received.withLock { $0.append(answer) }
    }

    /// What merchants were answered, in that order.
    var receivedOperationAnswers: [ReceivedOperationAnswer] { receivedOperations.withLock { $0 } }

    func receives(_ answer: ReceivedOperationAnswer) {
        receivedOperations.withLock { $0.append(answer) }
    }

    /// Does something that the host waits for before it may rest.
    func keepRunning(_ client: () async -> Void) async {
        activeClients.withLock { $0 += 1 }
        await client()
        activeClients.withLock { $0 -= 1 }
    }

    /// Keeps the relay running until all callers are gone, no payment is open, no hint waits and every event is delivered.
    func run() async {
        var number = 0
        while !(await isQuiet()) {
            number += 1
            world.note("process \(number) starts")
            let process = RelayProcess(number: number, on: self)
            running.withLock { $0 = process }
            await process.work(until: isQuiet)
            if process.life.isOver { await world.pause(milliseconds: 10...90_000) }
        }
    }

    private func isQuiet() async -> Bool {
        if world.timeline.now > Self.patience { return true }
        guard activeClients.withLock({ $0 == 0 }), fort.isAtRest else { return false }
        guard await disk.openPayments(limit: 1).isEmpty else { return false }
        guard await disk.hintSummary().count == 0 else { return false }
        return await disk.eventSummary().undelivered == 0
    }
}
