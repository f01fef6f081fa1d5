/// The kind of payment (FORT's `command`): an authorization only, or a purchase, which also captures.
///
/// Unknown words are kept, so that a client can read the responses of a newer relay.
public struct PaymentCommand: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// FORT's word.
    public let rawValue: String

    /// Creates a command from its word, even if the API does not document the word.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Authorizes the money; a capture takes it later.
    public static let authorization = Self(rawValue: "AUTHORIZATION")
    /// Authorizes and captures the money in one step.
    public static let purchase = Self(rawValue: "PURCHASE")

    /// Every command that the API documents, in the order of the API.
    public static let all: [Self] = [.authorization, .purchase]

    /// Creates a command from its word. Returns `nil` if the API does not document the word.
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
