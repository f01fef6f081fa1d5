/// The kind of payment (FORT's `command`): an authorization alone, or a purchase that also captures.
///
/// A word that is not listed here is kept as it is: a client can read a newer relay's answers.
public struct PaymentCommand: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// FORT's word.
    public let rawValue: String

    /// A command by its word, whether the API documents it or not.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Holds the money; a capture takes it later.
    public static let authorization = Self(rawValue: "AUTHORIZATION")
    /// Holds and takes the money in one step.
    public static let purchase = Self(rawValue: "PURCHASE")

    /// Every command that the API documents, in its order.
    public static let all: [Self] = [.authorization, .purchase]

    /// A command by its word; nil for a word that the API does not document.
    public init?(documented word: String) {
        self.init(rawValue: word)
        guard Self.all.contains(self) else { return nil }
    }

    public var description: String { rawValue }
}

/// The language of the texts in FORT's answer (ISO 639-1).
public enum PaymentLanguage: String, Sendable, Hashable, CaseIterable {
    /// `en`
    case english = "en"
    /// `ar`
    case arabic = "ar"
}
