import Logging
import PaymentRelay
import ServiceLifecycle

/// Runs the reconciler, the questions that hints lead to, and the housekeeping beside the listeners, and outlives them until what clients left under way is carried through.
struct ReconcilerService: Service {
    let relay: PaymentRelay
    let logger: Logger
    /// How many requests this instance may have under way to the gateways.
    let requestsAtOnce: @Sendable () -> Int

    func run() async throws {
        await withTaskGroup { group in
            group.addTask { await reconciler.run() }
            group.addTask { await investigator.run() }
            group.addTask { await relay.enforceRetention() }
            group.addTask { await relay.recordCertificateUse() }
            group.addTask { try? await gracefulShutdown() }
            await group.next()
            group.cancelAll()
        }
        // By now clients have gone, and what they waited for was interrupted: only a journal that hangs takes longer.
        if await !relay.drain(within: .seconds(10)) {
            logger.error("payments are still under way; the next start takes them over")
        }
        await relay.writeCertificateUse()
    }

    /// Asks gateways about open payments with a quarter of the concurrent requests, so that a gateway that does not
    /// answer leaves room for charges.
    private var reconciler: Reconciler {
        Reconciler(relay: relay, logger: logger, paymentsAtOnce: min(32, max(1, requestsAtOnce() / 4)))
    }

    /// Works off hints with an eighth of the concurrent gateway requests, apart from the reconciler's share.
    private var investigator: Investigator {
        Investigator(relay: relay, logger: logger, questionsAtOnce: min(16, max(1, requestsAtOnce() / 8)))
    }
}

/// Runs the delivery of events beside the listeners, until what was begun is delivered or given up.
struct EventDeliveryService: Service {
    let delivery: EventDelivery

    func run() async throws {
        await withTaskGroup { group in
            group.addTask { await delivery.run() }
            group.addTask { try? await gracefulShutdown() }
            await group.next()
            group.cancelAll()
        }
    }
}
