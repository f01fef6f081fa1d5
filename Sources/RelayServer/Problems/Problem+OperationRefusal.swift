import Primitives
import PaymentRelay

extension Problem {
    /// The one place where a refusal to capture, void or refund becomes HTTP.
    init(_ refusal: OperationRefusal) {
        self =
            switch refusal {
            case .noSuchPayment: .noSuchPayment
            case .recordUnreadable: .recordUnreadable
            case .notAllowed(let reason): .notAllowed(reason)
            case .otherCurrency(let currency):
                .invalidFields([ValidationError(field: "currency", detail: "must be the payment's, \(currency)")])
            case .inFlight: .operationInFlight
            case .idempotencyKeyTaken: .operationNameTaken
            case .invalid(let errors): .invalidFields(errors.errors)
            case .notSent(let reason): .notSent(reason)
            case .journalUnavailable(let reason): .journalUnavailable(reason)
            }
    }
}
