import PayrelayPrimitives

/// The state of a payment. The raw value is the `outcome` that clients see.
///
/// A new claim can replace a payment in the state `not_sent`, and an external payment that was declined or is in
/// another account (``Payment/canBeClaimedAgain(by:)``). `docs/state-machine.md` has every transition.
public enum PaymentState: String, Sendable, CaseIterable {
    /// The order is claimed, and its request may be on its way to the gateway.
    ///
    /// Can become: `not_sent`, `uncertain`, `authorized`, `captured`, `partially_captured`, `partially_refunded`,
    /// `refunded`, `declined`, `voided`; by an operator's statement, `not_processed`.
    case processing
    /// Nothing left this process. The same request may be sent again.
    ///
    /// Can become: `processing` by a new claim; by an answer to a query, `authorized`, `captured`,
    /// `partially_captured`, `partially_refunded`, `refunded` or `voided`.
    case notSent = "not_sent"
    /// The money is held.
    ///
    /// Can become: `captured`, `partially_captured`, `partially_refunded`, `refunded`, `voided`.
    case authorized
    /// A part of the held money was captured.
    ///
    /// Can become: `captured`, `partially_refunded`, `refunded`.
    case partiallyCaptured = "partially_captured"
    /// The whole amount was captured.
    ///
    /// Can become: `partially_refunded`, `refunded`.
    case captured
    /// The charge failed, and no money is held.
    ///
    /// Can become: `authorized`, `captured`, `partially_captured`, `partially_refunded`, `refunded` or `voided`, if
    /// the gateway charged the payment after all.
    case declined
    /// The hold was lifted, and no money was captured.
    ///
    /// Can become: `captured`, `partially_captured`, `partially_refunded` or `refunded`, if the gateway captured
    /// after all.
    case voided
    /// A part of the captured money was refunded.
    ///
    /// Can become: `refunded`.
    case partiallyRefunded = "partially_refunded"
    /// All captured money was refunded.
    ///
    /// Can become: `partially_refunded`, if the gateway captured more of the held money.
    case refunded
    /// The gateway may have charged. It is queried until a verified answer settles the payment.
    ///
    /// Can become: `authorized`, `captured`, `partially_captured`, `partially_refunded`, `refunded`, `declined`,
    /// `voided`, `not_processed`.
    case uncertain
    /// The gateway confirmed that it does not have the order. It is safe to pay again with a new token.
    ///
    /// Can become: the same states as `declined`, if the request reached the gateway after all.
    case notProcessed = "not_processed"

    /// The raw value as words: `partially refunded`.
    var words: String { rawValue.replacingEach("_", with: " ") }

    /// Whether money is held, or was captured, even if all of it was refunded since.
    public var hasMoney: Bool {
        switch self {
        case .authorized, .partiallyCaptured, .captured, .partiallyRefunded, .refunded: true
        case .processing, .notSent, .declined, .voided, .uncertain, .notProcessed: false
        }
    }

    /// Whether it is still unknown if the payment was charged.
    public var isOpen: Bool {
        switch self {
        case .processing, .uncertain: true
        case .notSent, .authorized, .partiallyCaptured, .captured, .declined, .voided, .partiallyRefunded, .refunded,
            .notProcessed:
            false
        }
    }
}
