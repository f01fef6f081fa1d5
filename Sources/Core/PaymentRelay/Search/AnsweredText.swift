import PayrelayPrimitives

/// What a gateway's answer must say in a field that lists show (``Payment/summary``). The case of ASCII letters does not count.
public struct AnsweredText: Sendable, Equatable {
    /// The field's, at the gateways that have it.
    public let names: [String]
    /// ASCII letters, digits, spaces, hyphens, underscores, and the stars of a masked number: as JSON has it, nothing of it is escaped.
    public let value: String

    /// Nil where the value is anything else, empty, or longer than 40.
    public init?(_ value: String, in names: Set<String>) {
        guard (1...40).contains(value.utf8.count),
            value.utf8.allSatisfy({ $0.isASCIILetter || $0.isASCIIDigit || " -_*".utf8.contains($0) })
        else { return nil }
        self.names = names.sorted()
        self.value = value
    }

    /// Of each field that may have it, the member as ``JSON/encoded()`` writes it, in lower case. In a JSON object of texts these bytes are
    /// nothing else: within a text, no quotation mark stands without a backslash.
    public var members: [String] { names.map { Self.member($0, value) } }

    static func member(_ name: String, _ value: String) -> String { "\"\(name)\":\"\(value)\"".lowercasedASCII }
}
