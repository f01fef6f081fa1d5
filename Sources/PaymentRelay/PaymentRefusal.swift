public import ApplePayToken

/// Why a request to pay was not carried out. In every case this request charged nothing.
public enum PaymentRefusal: Error, Sendable, Equatable {
    /// The token failed a check; the verification says which.
    case tokenRefused(TokenVerification)
    /// The same request is on its way already; its answer can be had in a moment.
    case inFlight
    /// The reference belongs to another request.
    case referenceTaken
    /// The reference belongs to a payment whose record in the journal cannot be read.
    case recordUnreadable
    /// The token already pays another order.
    case tokenTaken
    /// The idempotency key belongs to another request.
    case idempotencyKeyTaken
    /// The processor could not be reached, and nothing was sent.
    case notSent(reason: String)
    /// The journal could not record the claim, so nothing was sent.
    case journalUnavailable(reason: String)
}
