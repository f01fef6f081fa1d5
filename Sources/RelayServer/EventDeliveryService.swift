import PaymentRelay
import ServiceLifecycle

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
