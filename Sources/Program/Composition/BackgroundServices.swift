import Logging
import PaymentRelay
import ServiceLifecycle

/// A service that runs the reconciler, the queries that hints lead to, and the housekeeping beside the listeners.
/// It outlives the listeners until the payments that clients left under way are completed.
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
        // Clients have disconnected by now, and their pending work was interrupted, so only a hanging journal
        // takes longer.
        if await !relay.drain(within: .seconds(10)) {
            logger.error("payments are still under way; the next start takes them over")
        }
        await relay.writeCertificateUse()
    }
}

/// A service that delivers events beside the listeners, until the deliveries that were begun are finished or
/// abandoned.
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
