import PaymentRelay
import PayrelayPrimitives
import Synchronization

/// A backend that answers by a script, and keeps the events that it received.
final class ScriptedReceiver: EventReceiver {
    private let log = Mutex<[MerchantEvent]>([])
    private let onDeliver: @Sendable (_ number: Int) async -> EventReception

    let timeout: Duration

    /// - Parameter onDeliver: Called with the number of earlier deliveries.
    init(
        timeout: Duration = .seconds(15),
        onDeliver: @escaping @Sendable (_ number: Int) async -> EventReception = { _ in .acknowledged }
    ) {
        self.timeout = timeout
        self.onDeliver = onDeliver
    }

    var events: [MerchantEvent] { log.withLock { $0 } }

    func deliver(_ event: MerchantEvent) async -> DeliveryResult {
        let number = log.withLock { log in
            log.append(event)
            return log.count - 1
        }
        return DeliveryResult(await onDeliver(number), endpoint: "https://shop.example/events")
    }
}

extension MerchantEvent {
    var type: String? { json?["type"]?.stringValue }
}
