import FoundationEssentials
public import Logging
import PayrelayPrimitives

/// Works off the hints that are due, on ``LeasedWorkers`` for each gateway. These workers are separate from the
/// reconciler's. A flood of hints never delays the queries about open payments, and takes only a bounded part of
/// the queries that may be under way to a gateway at once.
public final class Investigator: Sendable {
    private let relay: PaymentRelay
    private let logger: Logger
    private let interval: Duration

    /// - Parameter interval: how often to look for due hints in the journal.
    public init(relay: PaymentRelay, logger: Logger, interval: Duration = .seconds(1)) {
        self.relay = relay
        self.logger = logger
        self.interval = interval
    }

    /// Works until the current task is cancelled.
    public func run() async {
        await relay.gateways.each { await self.workers(for: $0).run() }
    }

    /// Works off every hint that is due.
    func workOff() async {
        await relay.gateways.each { await self.workers(for: $0).workOff() }
    }

    private func workers(for gateway: String) -> LeasedWorkers<PendingHint> {
        LeasedWorkers(
            count: { self.relay.queriesAtOnce(to: gateway, takingOneIn: 8, atMost: 16) }, interval: interval,
            lease: { limit async throws(JournalError) in
                let moment = self.relay.now()
                return try await self.relay.journal.lease(
                    PendingHint.self, of: gateway, limit: limit, at: moment,
                    until: moment + self.relay.gateways.leaseDuration(of: gateway))
            },
            work: { pending in
                await self.work(on: pending)
                return false
            },
            fail: { self.fail($0) })
    }

    private func work(on pending: PendingHint) async {
        do throws(JournalError) {
            let (end, investigation) = try await relay.investigate(pending)
            try await relay.journal.end(pending, as: end, at: relay.now())
            relay.observe(.investigated(investigation))
            guard investigation != .known else { return }
            logger.info(
                "hint investigated",
                metadata: [
                    "merchant_reference": "\(pending.hint.merchantReference)", "account": "\(pending.hint.account)",
                    "result": "\(investigation.rawValue)", "hints": "\(pending.times)",
                ])
        } catch {
            fail(error)
        }
    }

    private func fail(_ error: JournalError) {
        relay.observe(.investigated(.failed))
        logger.error("hints: journal failed", metadata: ["error": "\(error)"])
    }
}
