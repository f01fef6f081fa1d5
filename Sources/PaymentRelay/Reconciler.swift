import FoundationEssentials
public import Logging

/// Works off open payments: it asks the processor about each, less and less often, until there is a final word. What an
/// earlier process left behind is open too, so a restart needs no other provision.
public final class Reconciler: Sendable {
    private let relay: PaymentRelay
    private let logger: Logger
    /// How many payments are leased, and asked about, at once: all of them well within their leases.
    private static let paymentsAtOnce = 10
    /// How often the journal is looked at.
    private let interval: Duration
    private let schedule: ReconciliationSchedule

    public convenience init(relay: PaymentRelay, logger: Logger) {
        self.init(relay: relay, logger: logger, schedule: ReconciliationSchedule())
    }

    init(
        relay: PaymentRelay, logger: Logger, interval: Duration = .seconds(1),
        schedule: ReconciliationSchedule = .init()
    ) {
        self.relay = relay
        self.logger = logger
        self.interval = interval
        self.schedule = schedule
    }

    /// Works until its task is cancelled.
    public func run() async {
        while !Task.isCancelled {
            await workOff()
            try? await Task.sleep(for: interval)
        }
    }

    /// Asks once about every open payment whose turn it is and that no other instance works on.
    func workOff() async {
        do {
            var leased: [Payment]
            repeat {
                let moment = relay.now()
                leased = try await relay.journal.lease(
                    limit: Self.paymentsAtOnce, at: moment, until: moment + relay.policy.leaseDuration)
                await withDiscardingTaskGroup { group in
                    for payment in leased { group.addTask { await self.work(on: payment) } }
                }
            } while leased.count == Self.paymentsAtOnce && !Task.isCancelled
        } catch {
            fail(error)
        }
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
        logger.error("reconciliation could not use the journal", metadata: ["error": "\(error)"])
    }
}
