public import PayrelayAPI

/// The state of a payment, as far as the relay has proven it.
///
/// ```swift
/// let result = try await client.outcome(of: "ORDER-1001")
/// if result.isSuccess { show(result.receipt) }
/// ```
public enum PaymentResult: Sendable, Hashable {
    /// The money is authorized.
    case authorized(PaymentDocument)
    /// All or part of the money was captured. ``receipt`` has the amount that was refunded since.
    case captured(PaymentDocument)
    /// FORT declined the payment. Nothing was charged.
    case declined(PaymentDocument)
    /// FORT never processed the payment. Nothing was charged, and a new payment sheet may be shown. A look-up
    /// also returns this for a payment that is `notSent`. In that case a request for the payment may still
    /// arrive, so pay only under the same reference.
    case notProcessed(PaymentDocument)
    /// The whole payment was voided or refunded after it had succeeded.
    case returned(PaymentDocument)
    /// It is not known yet whether the customer was charged. Query again with
    /// ``RelayClient/outcome(of:within:)``, and do not let the customer pay a second time. The document is `nil`
    /// if the relay has only reported that the payment is under way.
    case uncertain(PaymentDocument?)

    /// The relay's document about the payment; `nil` if the relay has only reported that the payment is under
    /// way.
    public var receipt: PaymentDocument? {
        switch self {
        case .authorized(let receipt), .captured(let receipt), .declined(let receipt), .notProcessed(let receipt),
            .returned(let receipt):
            receipt
        case .uncertain(let receipt): receipt
        }
    }

    /// Whether the money was authorized or captured.
    public var isSuccess: Bool {
        switch self {
        case .authorized, .captured: true
        case .declined, .notProcessed, .returned, .uncertain: false
        }
    }

    /// Creates the result for a document. An outcome that this version does not know is uncertain: neither a
    /// success nor a failure.
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

    /// Whether the relay knows that the customer keeps the money, and that no request can still take it.
    var isUncharged: Bool {
        switch self {
        case .declined, .returned: true
        case .notProcessed(let payment): payment.outcome == .notProcessed
        case .authorized, .captured, .uncertain: false
        }
    }

    var isOpen: Bool { if case .uncertain = self { true } else { false } }
}
