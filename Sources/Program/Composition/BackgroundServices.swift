import Logging
import PaymentRelay
import ServiceLifecycle

/// Runs the reconciler, the questions that hints lead to, and the housekeeping beside the listeners, and outlives them until what clients left under way is carried through.
struct ReconcilerService: Service {
    let relay: PaymentRelay
    let logger: Logger

    func run() async throws {
        await withTaskGroup { group in
            group.addTask { await Reconciler(relay: relay, logger: logger).run() }
            group.addTask { await Investigator(relay: relay, logger: logger).run() }
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
