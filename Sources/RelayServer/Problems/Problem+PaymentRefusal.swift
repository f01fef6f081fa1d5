import ApplePayToken
import PaymentRelay

extension Problem {
    /// The one place where a refusal to pay becomes HTTP.
    init(_ refusal: PaymentRefusal) {
        self =
            switch refusal {
            case .tokenRefused(let verification):
                if let check = verification.firstFailure {
                    .tokenRefused(check: check.name.rawValue, detail: check.detail)
                } else {
                    .unexpected
                }
            case .inFlight: .inFlight
            case .referenceTaken: .referenceTaken
            case .recordUnreadable: .recordUnreadable
            case .tokenTaken: .tokenTaken
            case .idempotencyKeyTaken: .idempotencyKeyTaken
            case .notSent(let reason): .notSent(reason)
            case .journalUnavailable(let reason): .journalUnavailable(reason)
            }
    }
}
