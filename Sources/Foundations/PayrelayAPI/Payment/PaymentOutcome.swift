/// The `outcome` of a payment or an operation, as the API writes it (`Outcome` in openapi.yaml).
///
/// Unknown words are kept, so that a client can read the responses of a newer relay.
public struct PaymentOutcome: RawRepresentable, Hashable, Sendable {
    /// The word of the API.
    public let rawValue: String

    /// Creates an outcome from its word.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The request to the gateway may be on its way.
    public static let processing = Self(rawValue: "processing")
    /// Nothing was sent, because no connection could be made.
    public static let notSent = Self(rawValue: "not_sent")
    /// The money is held on the card.
    public static let authorized = Self(rawValue: "authorized")
    /// A part of the held money was captured.
    public static let partiallyCaptured = Self(rawValue: "partially_captured")
    /// The money was captured.
    public static let captured = Self(rawValue: "captured")
    /// FORT or the issuer declined the payment.
    public static let declined = Self(rawValue: "declined")
    /// The authorization was released.
    public static let voided = Self(rawValue: "voided")
    /// A part of the captured money was refunded.
    public static let partiallyRefunded = Self(rawValue: "partially_refunded")
    /// All of the captured money was refunded.
    public static let refunded = Self(rawValue: "refunded")
    /// The customer may have been charged. The relay queries FORT.
    public static let uncertain = Self(rawValue: "uncertain")
    /// FORT confirmed that it does not have the order.
    public static let notProcessed = Self(rawValue: "not_processed")

    /// Every outcome that the API documents, in the order of the API.
    public static let all: [Self] = [
        .processing, .notSent, .authorized, .partiallyCaptured, .captured, .declined, .voided, .partiallyRefunded,
        .refunded, .uncertain, .notProcessed,
    ]

    /// Whether a new payment succeeded, which means that its money was authorized or captured.
    public var isSuccess: Bool { self == .authorized || self == .captured }

    /// Whether it is not known yet if the card was charged.
    public var isOpen: Bool { self == .processing || self == .uncertain }
}

extension PaymentOutcome: CustomStringConvertible {
    public var description: String { rawValue }
}
