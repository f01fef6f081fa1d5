import FoundationEssentials
public import Logging

/// Works off open payments: it asks the processor about each, less and less often, until there is a final word. What an
/// earlier process left behind is open too, so a restart needs no other provision.
public final class Reconciler: Sendable {
    private let relay: PaymentRelay
    private let logger: Logger
    /// How often the journal is looked at.
    private let interval: Duration

    public init(relay: PaymentRelay, logger: Logger, interval: Duration = .seconds(1)) {
        self.relay = relay
        self.logger = logger
        self.interval = interval
    }

    /// Works until its task is cancelled.
    public func run() async {
        var schedule = ReconciliationSchedule()
        while !Task.isCancelled {
            await workOff(&schedule)
            try? await Task.sleep(for: interval)
        }
    }

    /// Asks once about every open payment whose turn it is.
    func workOff(_ schedule: inout ReconciliationSchedule) async {
        do {
            let open = try await relay.journal.openPayments(limit: 100)
            schedule.keepOnly(open.map(\.merchantReference))
            for payment in open where schedule.isDue(payment.merchantReference, at: relay.now()) {
                if Task.isCancelled { return }
                let after = try await relay.sync(payment.merchantReference)
                schedule.asked(payment.merchantReference, at: relay.now())
                guard let after, !after.state.isOpen else { continue }
                logger.info(
                    "reconciled",
                    metadata: [
                        "merchant_reference": "\(after.merchantReference)", "outcome": "\(after.state.rawValue)",
                    ])
            }
        } catch {
            logger.error("reconciliation could not use the journal", metadata: ["error": "\(error)"])
        }
    }
}
