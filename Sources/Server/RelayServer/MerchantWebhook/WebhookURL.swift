import FoundationEssentials
public import PayrelayPrimitives

/// The URL to which the merchant's backend wants its events delivered.
public struct WebhookURL: Sendable, Equatable {
    /// The full URL. It may contain a key in its path or query and must not be logged.
    let text: String
    /// The URL without its query.
    var withoutQuery: String { String(text.cut(at: "?").before) }
    /// The scheme, host and port. They identify the backend, but do not let a reader call it.
    var endpoint: String {
        let (scheme, rest) = withoutQuery.cut(at: ":")
        let authority = rest?.after("//")?.cut(at: "/").before ?? ""
        return "\(scheme)://\(authority)"
    }
    /// The parts of the URL that may be keys: the values of its query, both encoded and decoded, and the long
    /// segments of its path.
    var keys: [String] {
        let parts = URLComponents(string: text)
        let values = ((parts?.percentEncodedQueryItems ?? []) + (parts?.queryItems ?? [])).map { $0.value ?? $0.name }
        let segments = [parts?.percentEncodedPath, parts?.path].compactMap { $0 }.flatMap { $0.parts(at: "/") }
        return values.filter { $0.utf8.count >= Self.shortestValue }
            + segments.map { String($0) }.filter { $0.utf8.count >= Self.shortestSegment }
    }

    /// The minimum length of a query value that may be a key, in bytes. Shorter values appear in many responses
    /// by chance.
    private static let shortestValue = 4
    /// The minimum length of a path segment that may be a key, in bytes. Shorter segments are often words.
    private static let shortestSegment = 16

    /// - Throws: ``SecureURLError`` with the problem of the URL.
    public init(_ text: String) throws(SecureURLError) {
        try SecureURL.check(text, allowsQuery: true)
        self.text = text
    }
}
