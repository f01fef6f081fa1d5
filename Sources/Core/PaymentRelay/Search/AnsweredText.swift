import PayrelayPrimitives

/// A text that a gateway's answer must have in a field that lists show (``Payment/summary``). The case of ASCII
/// letters does not count.
public struct AnsweredText: Sendable, Equatable {
    /// The names of the field at the gateways that have it.
    public let names: [String]
    /// ASCII letters, digits, spaces, hyphens, underscores, and the stars of a masked number. JSON escapes none of
    /// them.
    public let value: String

    /// Creates the text; `nil` if it is empty, longer than 40, or contains other characters.
    public init?(_ value: String, in names: Set<String>) {
        guard (1...40).contains(value.utf8.count),
            value.utf8.allSatisfy({ $0.isASCIILetter || $0.isASCIIDigit || " -_*".utf8.contains($0) })
        else { return nil }
        self.names = names.sorted()
        self.value = value
    }

    /// The members to search for: for each name of the field, the member as ``JSON/encoded()`` writes it, in lower
    /// case. In a JSON object of texts, these bytes can only be the member, because a quotation mark within a text
    /// has a backslash before it.
    public var members: [String] { names.map { Self.member($0, value) } }

    static func member(_ name: String, _ value: String) -> String { "\"\(name)\":\"\(value)\"".lowercasedASCII }
}
