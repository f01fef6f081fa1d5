import FoundationEssentials
public import PayrelayPrimitives

/// Where the merchant's backend takes events.
public struct WebhookURL: Sendable, Equatable {
    /// May hold a key in its query, and is not to be logged.
    let text: String
    /// Without its query.
    var endpoint: String { String(text.cut(at: "?").before) }
    /// The values of its query, as they stand there and decoded.
    var queryValues: [String] {
        let parts = URLComponents(string: text)
        return ((parts?.percentEncodedQueryItems ?? []) + (parts?.queryItems ?? [])).map { $0.value ?? $0.name }
    }

    /// - Throws: ``SecureURLError``, which says what is wrong with the URL.
    public init(_ text: String) throws(SecureURLError) {
        try SecureURL.check(text, allowsQuery: true)
        self.text = text
    }
}
