/// What FORT is to do with the money (FORT's `command`).
public enum PaymentCommand: String, Sendable, Hashable, CaseIterable {
    /// Holds the money; a capture takes it later.
    case authorization = "AUTHORIZATION"
    /// Holds and takes the money in one step.
    case purchase = "PURCHASE"
}

/// The language of the texts in FORT's answer (ISO 639-1).
public enum PaymentLanguage: String, Sendable, Hashable, CaseIterable {
    /// `en`
    case english = "en"
    /// `ar`
    case arabic = "ar"
}
