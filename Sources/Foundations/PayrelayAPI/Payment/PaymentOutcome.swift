/// The `outcome` of a payment or an operation, as the API writes it (`Outcome` in openapi.yaml).
///
/// A word that is not listed here is kept as it is: a client can read a newer relay's answers.
public struct PaymentOutcome: RawRepresentable, Hashable, Sendable {
    /// The word.
    public let rawValue: String

    /// An outcome by its word.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Its request may be on its way.
    public static let processing = Self(rawValue: "processing")
    /// No connection was made, so nothing was sent.
    public static let notSent = Self(rawValue: "not_sent")
    /// The money is held.
    public static let authorized = Self(rawValue: "authorized")
    /// Part of the held money is taken.
    public static let partiallyCaptured = Self(rawValue: "partially_captured")
    /// The money is taken.
    public static let captured = Self(rawValue: "captured")
    /// FORT or the issuer refused.
    public static let declined = Self(rawValue: "declined")
    /// The hold was lifted.
    public static let voided = Self(rawValue: "voided")
    /// Part of the taken money was given back.
    public static let partiallyRefunded = Self(rawValue: "partially_refunded")
    /// All of the taken money was given back.
    public static let refunded = Self(rawValue: "refunded")
    /// The customer may have been charged; the relay is asking FORT.
    public static let uncertain = Self(rawValue: "uncertain")
    /// FORT confirmed that it does not have the order.
    public static let notProcessed = Self(rawValue: "not_processed")

    /// Every outcome that the API documents, in its order.
    public static let all: [Self] = [
        .processing, .notSent, .authorized, .partiallyCaptured, .captured, .declined, .voided, .partiallyRefunded,
        .refunded, .uncertain, .notProcessed,
    ]

    /// Whether a new payment succeeded: its money is held or taken.
    public var isSuccess: Bool { self == .authorized || self == .captured }

    /// Whether the answer to "was it charged?" is not known yet.
    public var isOpen: Bool { self == .processing || self == .uncertain }
}

extension PaymentOutcome: CustomStringConvertible {
    public var description: String { rawValue }
}
