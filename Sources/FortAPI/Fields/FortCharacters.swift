/// The characters that a field may contain: letters and digits, and some others.
public struct FortCharacters: Hashable, Sendable {
    /// Whose letters and digits.
    public enum Letters: Hashable, Sendable {
        /// None: digits `0` to `9` only.
        case none
        case ascii
        /// Of any script, with its marks and digits. Cards and customers around the Gulf are named in Arabic.
        case any
    }

    public let letters: Letters
    /// The others, among them perhaps a space.
    public let others: String

    public var allowSpaces: Bool { others.contains(" ") }

    public func contains(_ scalar: Unicode.Scalar) -> Bool {
        isLetterOrDigit(scalar) || others.unicodeScalars.contains(scalar)
    }

    private func isLetterOrDigit(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "0"..."9": return true
        case "a"..."z", "A"..."Z": return letters != .none
        default: break
        }
        guard letters == .any else { return false }
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .nonspacingMark,
            .spacingMark, .decimalNumber:
            return true
        default: return false
        }
    }
}

extension FortCharacters: CustomStringConvertible {
    /// For example "letters, digits and - _ .".
    public var description: String {
        let base =
            switch letters {
            case .none: "digits"
            case .ascii: "letters A to Z, digits"
            case .any: "letters, digits"
            }
        let signs = others.filter { $0 != " " }.map(String.init) + (allowSpaces ? ["space"] : [])
        return signs.isEmpty ? base : "\(base) and \(signs.joined(separator: " "))"
    }
}
