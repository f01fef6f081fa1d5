import PayrelayPrimitives

/// Where a payment stands. The raw value is the `outcome` that clients see.
public enum PaymentState: String, Sendable, CaseIterable {
    /// Claimed; its request may be on its way to the gateway.
    case processing
    /// Nothing left this process; the same request may be tried again.
    case notSent = "not_sent"
    /// The money is held.
    case authorized
    /// Part of what is held was captured.
    case partiallyCaptured = "partially_captured"
    case captured
    case declined
    case voided
    /// Part of what was captured was refunded.
    case partiallyRefunded = "partially_refunded"
    case refunded
    /// The gateway may have charged; it is queried until it says so or not.
    case uncertain
    /// The gateway confirmed that it never saw the order; safe to try again with a new token.
    case notProcessed = "not_processed"

    /// The raw value as words: `partially refunded`.
    var words: String { rawValue.replacingEach("_", with: " ") }

    /// Whether money is held, or was taken: at least for a while.
    public var hasMoney: Bool {
        switch self {
        case .authorized, .partiallyCaptured, .captured, .partiallyRefunded, .refunded: true
        case .processing, .notSent, .declined, .voided, .uncertain, .notProcessed: false
        }
    }

    /// Whether the answer to "was it charged?" is still open.
    public var isOpen: Bool {
        switch self {
        case .processing, .uncertain: true
        case .notSent, .authorized, .partiallyCaptured, .captured, .declined, .voided, .partiallyRefunded, .refunded,
            .notProcessed:
            false
        }
    }
}
