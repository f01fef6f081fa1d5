import Mustache

/// The data of a template: texts, flags and lists that a screen has chosen. Domain types cannot be passed, so a
/// page shows only what its screen names.
package enum View: Sendable, Equatable {
    case text(String)
    case flag(Bool)
    case list([View])
    case parts([String: View])
    case none

    package init(_ text: String?) {
        self = text.map { .text($0) } ?? .none
    }

    package init(_ list: [View]) {
        self = .list(list)
    }
}

extension View: MustacheParent, MustacheCustomRepresentation {
    package func child(named name: String) -> Any? {
        if case .parts(let parts) = self { parts[name] } else { nil }
    }

    package var representation: Any? {
        switch self {
        case .text(let text): Self.escapable(text)
        case .flag(let flag): flag
        case .list(let list): list
        case .parts: self
        case .none: nil
        }
    }

    /// Returns the text with a zero-width space after each markup character that is combined with an accent.
    /// Mustache escapes Swift characters, and a quotation mark with a combining accent is a different character,
    /// but a browser still sees the quotation mark, which ends an attribute.
    private static func escapable(_ text: String) -> String {
        guard text.contains(where: { $0.unicodeScalars.count > 1 && $0.unicodeScalars.contains(where: isMarkup) })
        else { return text }
        var apart = ""
        for character in text {
            guard character.unicodeScalars.contains(where: isMarkup) else {
                apart.append(character)
                continue
            }
            for scalar in character.unicodeScalars {
                if !apart.isEmpty { apart.unicodeScalars.append("\u{200B}") }
                apart.unicodeScalars.append(scalar)
            }
        }
        return apart
    }

    private static func isMarkup(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "<", ">", "&", "\"", "'": true
        default: false
        }
    }
}

extension View: ExpressibleByStringLiteral, ExpressibleByStringInterpolation, ExpressibleByBooleanLiteral,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral, ExpressibleByNilLiteral
{
    package init(stringLiteral text: String) { self = .text(text) }
    package init(booleanLiteral flag: Bool) { self = .flag(flag) }
    package init(arrayLiteral list: View...) { self = .list(list) }
    package init(dictionaryLiteral parts: (String, View)...) { self = .parts(Dictionary(parts) { $1 }) }
    package init(nilLiteral: ()) { self = .none }
}
