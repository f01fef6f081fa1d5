/// The `outcome` of a payment or an operation, as the API writes it (`Outcome` in openapi.yaml).
///
/// A word that is not listed here is kept as it is: a client can read a newer relay's answers.
public struct PaymentOutcome: RawRepresentable, Hashable, Sendable {
    public let rawValue: String

    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    public static let processing = Self(rawValue: "processing")
    public static let notSent = Self(rawValue: "not_sent")
    public static let authorized = Self(rawValue: "authorized")
    public static let partiallyCaptured = Self(rawValue: "partially_captured")
    public static let captured = Self(rawValue: "captured")
    public static let declined = Self(rawValue: "declined")
    public static let voided = Self(rawValue: "voided")
    public static let partiallyRefunded = Self(rawValue: "partially_refunded")
    public static let refunded = Self(rawValue: "refunded")
    public static let uncertain = Self(rawValue: "uncertain")
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
