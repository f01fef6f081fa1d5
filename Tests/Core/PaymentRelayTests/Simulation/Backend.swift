import PaymentRelay
import PayrelayPrimitives
import Synchronization

/// The merchant's backend: it keeps the events that it acknowledged, in their order, and outlives the relay's processes.
final class Backend: Sendable {
    private let taken = Mutex<[MerchantEvent]>([])

    var events: [MerchantEvent] { taken.withLock { $0 } }

    func take(_ event: MerchantEvent) {
        taken.withLock { $0.append(event) }
    }
}

extension MerchantEvent {
    var json: JSON? { try? JSON(parsing: body) }
    var reference: String? { json?["merchant_reference"]?.stringValue }
    /// The number of the event's entry in the payment's history.
    var number: Int? { identifier.split(separator: "_").dropFirst(2).first.flatMap { Int($0) } }
}
