/// A text in three languages, under the keys `uk`, `en` and `ru`.
public struct PayeeLocalizedTitle: Decodable, Sendable, Hashable {
    /// In Ukrainian.
    public let ukLocale: String?
    /// In English.
    public let enLocale: String?
    /// In Russian.
    public let ruLocale: String?

    private enum CodingKeys: String, CodingKey {
        case ukLocale = "uk"
        case enLocale = "en"
        case ruLocale = "ru"
    }
}
