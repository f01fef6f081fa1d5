public import PayrelayAPI

/// The state of a payment, as far as the relay has proven it.
///
/// ```swift
/// let result = try await client.outcome(of: "ORDER-1001")
/// if result.isSuccess { show(result.receipt) }
/// ```
public enum PaymentResult: Sendable, Hashable {
    /// The money is held.
    case authorized(PaymentDocument)
    /// The money is taken, all or part of it; ``receipt`` tells how much was given back since.
    case captured(PaymentDocument)
    /// FORT declined it. Nothing was charged.
    case declined(PaymentDocument)
    /// FORT never processed it. Nothing was charged; a new payment sheet may be shown. A look-up tells one that is `notSent` so, too: a
    /// request of it may still come, so pay under the same reference.
    case notProcessed(PaymentDocument)
    /// All of it was voided or refunded after it had succeeded.
    case returned(PaymentDocument)
    /// It is not known yet whether the customer is charged. Ask again with ``RelayClient/outcome(of:within:)``; do not
    /// let the customer pay a second time. Nil where the relay has said no more than that the payment is under way.
    case uncertain(PaymentDocument?)

    /// The relay's document about the payment; nil where it has said no more than that the payment is under way.
    public var receipt: PaymentDocument? {
        switch self {
        case .authorized(let receipt), .captured(let receipt), .declined(let receipt), .notProcessed(let receipt),
            .returned(let receipt):
            receipt
        case .uncertain(let receipt): receipt
        }
    }

    /// Whether the money is held or taken.
    public var isSuccess: Bool {
        switch self {
        case .authorized, .captured: true
        case .declined, .notProcessed, .returned, .uncertain: false
        }
    }

    /// An outcome that this version does not know is not taken for a success or a failure: it is uncertain.
    public init(_ payment: PaymentDocument) {
        self =
            switch payment.outcome {
            case .authorized: .authorized(payment)
            case .captured, .partiallyCaptured, .partiallyRefunded: .captured(payment)
            case .declined: .declined(payment)
            case .notProcessed, .notSent: .notProcessed(payment)
            case .voided, .refunded: .returned(payment)
            default: .uncertain(payment)
            }
    }

    /// Whether the relay knows that the customer keeps the money, and that no request will take it.
    var isUncharged: Bool {
        switch self {
        case .declined, .returned: true
        case .notProcessed(let payment): payment.outcome == .notProcessed
        case .authorized, .captured, .uncertain: false
        }
    }

    var isOpen: Bool { if case .uncertain = self { true } else { false } }
}
