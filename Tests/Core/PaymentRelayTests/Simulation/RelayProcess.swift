import JournalContract
import Logging

@testable import PaymentRelay

/// One run of the relay's process. The relay, the reconciler, the investigator and the delivery of events are the real ones.
/// Their memory ends with the process.
final class RelayProcess: Sendable {
    let life: ProcessLife
    let relay: PaymentRelay
    private let world: SimulatedWorld
    private let reconciler: Reconciler
    private let investigator: Investigator
    private let delivery: EventDelivery

    init(number: Int, on host: RelayHost) {
        let world = host.world
        life = ProcessLife(world: world, number: number)
        let journal = SimulatedJournal(disk: host.disk, primary: host.primary, life: life, world: world)
        let gateway = SimulatedGateway(fort: host.fort, network: host.network, life: life, world: world)
        let logger = Logger(label: "simulation") { _ in SwiftLogNoOpLogHandler() }
        relay = PaymentRelay(
            policy: .init(
                verifier: nil, notFoundAfter: host.bug?.notFoundAfter ?? RelayHost.notFoundAfter,
                operationNotFoundAfter: host.bug?.operationNotFoundAfter ?? RelayHost.operationNotFoundAfter,
                recordsEvents: true),
            journal: host.bug?.journal(journal, world) ?? journal,
            gateways: .only(host.bug?.gateway(gateway) ?? gateway),
            logger: logger, now: { world.timeline.date }, executor: world.thread)
        let jitter: @Sendable () -> Double = { 0.75 + world.chance.fraction() / 4 }
        reconciler = Reconciler(
            relay: relay, logger: logger,
            backoff: ExponentialBackoff(longest: Reconciler.longestPause, jitter: jitter))
        investigator = Investigator(relay: relay, logger: logger)
        let receiver = SimulatedReceiver(backend: host.backend, life: life, world: world)
        delivery = EventDelivery(
            relay: relay, receiver: host.bug?.receiver(receiver, world) ?? receiver, logger: logger,
            backoff: ExponentialBackoff(longest: EventDelivery.longestPause, jitter: jitter))
        self.world = world
    }

    /// Reconciles and delivers until the process ends, or until there is nothing left to do.
    func work(until isQuiet: @escaping @Sendable () async -> Bool) async {
        async let reconciled: Void = again(until: isQuiet) { await self.reconciler.workOff() }
        async let investigated: Void = again(until: isQuiet) { await self.investigator.workOff() }
        async let delivered: Void = again(until: isQuiet) { await self.delivery.workOff() }
        _ = await (reconciled, investigated, delivered)
    }

    private func again(until isQuiet: () async -> Bool, _ work: () async -> Void) async {
        while !life.isOver, !(await isQuiet()) {
            await work()
            await world.pause(milliseconds: 1_000...6_000)
        }
    }
}
