/// A text in three languages, with the keys `uk`, `en` and `ru`.
public struct PayeeLocalizedTitle: Decodable, Sendable, Hashable {
    /// The text in Ukrainian.
    public let ukLocale: String?
    /// The text in English.
    public let enLocale: String?
    /// The text in Russian.
    public let ruLocale: String?

    private enum CodingKeys: String, CodingKey {
        case ukLocale = "uk"
        case enLocale = "en"
        case ruLocale = "ru"
    }
}
