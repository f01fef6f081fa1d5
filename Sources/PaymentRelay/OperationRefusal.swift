public import Primitives

/// Why a capture, a void or a refund was not carried out. In every case this request moved no money.
public enum OperationRefusal: Error, Sendable, Equatable {
    case noSuchPayment
    /// The payment's record in the journal cannot be read.
    case recordUnreadable
    /// What stands of the payment does not permit it.
    case notAllowed(reason: String)
    /// The currency is not the payment's.
    case otherCurrency(String)
    /// Another operation on this payment is open, or this very one is.
    case inFlight
    /// The name belongs to another operation of this payment.
    case nameTaken
    /// Fields that the processor would refuse.
    case faults(ValidationErrors)
    /// The processor could not be reached, and nothing was sent.
    case notSent(reason: String)
    /// The journal could not record it, so nothing was sent.
    case journalUnavailable(reason: String)
}

/// How an operation went, once the processor was asked.
public struct OperationResult: Sendable, Equatable {
    public let operation: PaymentOperation
    /// Whether this is the stored answer to an earlier request.
    public let isReplay: Bool
}
