import PayrelayPrimitives

/// The type of a setting's value.
public enum SettingKind: Sendable, Hashable {
    /// - `pattern`: a regular expression (ECMA-262) for the JSON Schema that each value matches.
    case text(String, pattern: String? = nil)
    /// A text that is never shown.
    case secret(String)
    case number(ClosedRange<Int>, of: SettingUnit? = nil)
    case flag
    case choice([String])
    /// A list of texts. In the environment they are separated by commas; in the file they are a YAML list.
    case list(String)
    /// A URL that requests are sent to: `https`, or `http` on loopback.
    case url
    /// The path of a file.
    case file(String)

    /// The requirement on a value, for messages, such as "a number of seconds from 1 to 300".
    public var requirement: String {
        switch self {
        case .text(let words, _), .secret(let words): words
        case .number(let range, let unit):
            "a number \(unit.map { "of \($0.rawValue) " } ?? "")from \(range.lowerBound) to \(range.upperBound)"
        case .flag: "true or false"
        case .choice(let words):
            words.count > 2 ? "one of \(words.joined(separator: ", "))" : words.joined(separator: " or ")
        case .list(let items): "\(items), with commas between them"
        case .url: "an https URL (plain http on loopback only)"
        case .file(let words): "the path of \(words)"
        }
    }

    /// Whether the text can be a value. Requirements that are not part of the kind are checked when the value is
    /// used.
    package func admits(_ text: String) -> Bool {
        switch self {
        case .number(let range, _): Int(text).map(range.contains) ?? false
        case .flag: Bool(text) != nil
        case .choice(let words): words.contains(text)
        case .text, .secret, .list, .url, .file: true
        }
    }

    /// Returns the items of a list in the form that it has in the environment.
    package static func items(of text: String) -> [String] {
        text.parts(at: ",").map { String($0.trimmedOfSpaces) }
    }
}

/// The unit of a number.
public enum SettingUnit: String, Sendable {
    case bytes
    case seconds
    case days
    case percent
}
