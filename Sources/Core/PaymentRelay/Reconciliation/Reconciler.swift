import FoundationEssentials
public import Logging
import PayrelayPrimitives

/// R5, R10: queries the gateway about each open payment, less and less often, until a verified answer settles it.
/// Payments that an earlier process left open are included, so a restart needs no other provision.
///
/// Like ``EventDelivery`` it uses ``LeasedWorkers``. Each gateway has its own workers, so that a slow gateway does
/// not delay the queries to others.
public final class Reconciler: Sendable {
    private let relay: PaymentRelay
    private let logger: Logger
    /// The pauses between queries, which continue for as long as the payment is open.
    private let backoff: ExponentialBackoff
    static let longestPause = Duration.seconds(60)

    public convenience init(relay: PaymentRelay, logger: Logger) {
        self.init(relay: relay, logger: logger, backoff: ExponentialBackoff(longest: Self.longestPause))
    }

    init(relay: PaymentRelay, logger: Logger, backoff: ExponentialBackoff) {
        self.relay = relay
        self.logger = logger
        self.backoff = backoff
    }

    /// Works until the current task is cancelled, which interrupts the work under way.
    public func run() async {
        await relay.gateways.each { await self.workers(for: $0).run() }
    }

    /// Queries the gateways once about every open payment that is due and that no other instance works on.
    func workOff() async {
        await relay.gateways.each { await self.workers(for: $0).workOff() }
    }

    private func workers(for gateway: String) -> LeasedWorkers<Payment> {
        LeasedWorkers(
            count: { self.relay.queriesAtOnce(to: gateway, takingOneIn: 4, atMost: 32) },
            lease: { limit async throws(JournalError) in
                let moment = self.relay.now()
                return try await self.relay.journal.lease(
                    Payment.self, of: gateway, limit: limit, at: moment,
                    until: moment + self.relay.gateways.leaseDuration(of: gateway))
            },
            work: { payment in
                await self.work(on: payment)
                return false
            },
            fail: { self.fail($0) })
    }

    private func work(on payment: Payment) async {
        do throws(JournalError) {
            let after = try await relay.queryStatus(of: payment, by: .reconciler).payment
            relay.observe(.reconciled(after.isOpen ? .open : .settled))
            if !after.isOpen {
                return logger.info(
                    "reconciled",
                    metadata: [
                        "merchant_reference": "\(after.merchantReference)", "outcome": "\(after.state.rawValue)",
                    ])
            }
        } catch {
            fail(error)
        }
        await relay.release(payment, at: relay.now() + backoff.pause(afterAttempt: payment.lease.number))
    }

    private func fail(_ error: JournalError) {
        relay.observe(.reconciled(.failed))
        logger.error("reconciliation: journal failed", metadata: ["error": "\(error)"])
    }
}
