import FoundationEssentials
public import PayrelayPrimitives

/// Where the merchant's backend takes events.
public struct WebhookURL: Sendable, Equatable {
    /// May hold a key in its path or its query, and is not to be logged.
    let text: String
    /// The URL without its query.
    var withoutQuery: String { String(text.cut(at: "?").before) }
    /// Its scheme, host and port, which tell a reader which backend it is and nothing that lets anyone call it.
    var endpoint: String {
        let (scheme, rest) = withoutQuery.cut(at: ":")
        let authority = rest?.after("//")?.cut(at: "/").before ?? ""
        return "\(scheme)://\(authority)"
    }
    /// What may be a key: the values of its query, as they stand there and decoded, and the long segments of its path.
    var keys: [String] {
        let parts = URLComponents(string: text)
        let values = ((parts?.percentEncodedQueryItems ?? []) + (parts?.queryItems ?? [])).map { $0.value ?? $0.name }
        let segments = [parts?.percentEncodedPath, parts?.path].compactMap { $0 }.flatMap { $0.parts(at: "/") }
        return values.filter { $0.utf8.count >= Self.shortestValue }
            + segments.map { String($0) }.filter { $0.utf8.count >= Self.shortestSegment }
    }

    /// A value of the query that is shorter, in bytes, is not a key, and stands in many an answer.
    private static let shortestValue = 4
    /// The same for a segment of the path, which is often a word.
    private static let shortestSegment = 16

    /// - Throws: ``SecureURLError``, which says what is wrong with the URL.
    public init(_ text: String) throws(SecureURLError) {
        try SecureURL.check(text, allowsQuery: true)
        self.text = text
    }
}
