import PayrelayPrimitives

/// What the value of a setting is.
public enum SettingKind: Sendable, Hashable {
    /// - `pattern`: a regular expression of ECMA-262 that each value matches, for the JSON Schema.
    case text(String, pattern: String? = nil)
    /// A text that is never shown.
    case secret(String)
    case number(ClosedRange<Int>, of: SettingUnit? = nil)
    case flag
    case choice([String])
    /// Texts: with commas between them in the environment, a list in the file.
    case list(String)
    /// The URL of something to send to: `https`, and `http` on loopback.
    case url
    /// The path of a file.
    case file(String)

    /// What a value must be: "a number of seconds from 1 to 300".
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

    /// False for a text that cannot be a value. Whether another one is, is seen where it is used.
    package func admits(_ text: String) -> Bool {
        switch self {
        case .number(let range, _): Int(text).map(range.contains) ?? false
        case .flag: Bool(text) != nil
        case .choice(let words): words.contains(text)
        case .text, .secret, .list, .url, .file: true
        }
    }

    /// The parts of a list as it stands in the environment.
    package static func items(of text: String) -> [String] {
        text.parts(at: ",").map { String($0.trimmedOfSpaces) }
    }
}

/// What a number counts.
public enum SettingUnit: String, Sendable {
    case bytes
    case seconds
    case days
    case percent
}
