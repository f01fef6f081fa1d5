import FoundationEssentials
public import Logging

/// Works off open payments: it asks the processor about each, less and less often, until there is a final word. What an
/// earlier process left behind is open too, so a restart needs no other provision.
public final class Reconciler: Sendable {
    private let relay: PaymentRelay
    private let logger: Logger
    /// How many payments are asked about at once, at most.
    private let paymentsAtOnce: Int
    /// How often the journal is looked at.
    private let interval: Duration
    private let schedule: ReconciliationSchedule

    /// - Parameter paymentsAtOnce: how many payments are asked about at once, at most: one that the processor does not
    ///   answer about occupies one of these places until it times out.
    public convenience init(relay: PaymentRelay, logger: Logger, paymentsAtOnce: Int = 32) {
        self.init(relay: relay, logger: logger, paymentsAtOnce: paymentsAtOnce, schedule: ReconciliationSchedule())
    }

    init(
        relay: PaymentRelay, logger: Logger, paymentsAtOnce: Int = 32, interval: Duration = .seconds(1),
        schedule: ReconciliationSchedule
    ) {
        self.relay = relay
        self.logger = logger
        self.paymentsAtOnce = paymentsAtOnce
        self.interval = interval
        self.schedule = schedule
    }

    /// Works until its task is cancelled, which interrupts what is under way.
    public func run() async {
        await workers.run()
    }

    /// Asks once about every open payment whose turn it is and that no other instance works on.
    func workOff() async {
        await workers.workOff()
    }

    private var workers: LeasedWorkers<Payment> {
        LeasedWorkers(
            count: paymentsAtOnce, interval: interval,
            lease: { limit in
                let moment = self.relay.now()
                return try await self.relay.journal.lease(
                    limit: limit, at: moment, until: moment + self.relay.policy.leaseDuration)
            },
            work: { payment in
                await self.work(on: payment)
                return false
            },
            fail: { self.fail($0) })
    }

    private func work(on payment: Payment) async {
        let after: Payment
        do {
            after = try await relay.ask(about: payment)
        } catch {
            return fail(error)
        }
        relay.observe(.reconciled(after.isOpen ? .open : .settled))
        if after.isOpen {
            return await relay.release(payment, at: relay.now() + schedule.pause(afterLease: payment.lease.number))
        }
        logger.info(
            "reconciled",
            metadata: ["merchant_reference": "\(after.merchantReference)", "outcome": "\(after.state.rawValue)"])
    }

    private func fail(_ error: any Error) {
        relay.observe(.reconciled(.failed))
        logger.error("reconciliation: journal failed", metadata: ["error": "\(error)"])
    }
}
