import PayrelayPrimitives

/// The characters that a field may contain: letters, digits and others.
public struct FortCharacters: Hashable, Sendable {
    /// The alphabet of the allowed letters and digits.
    public enum Letters: Hashable, Sendable {
        /// No letters: only the digits `0` to `9`.
        case none
        case ascii
        /// Letters of any script, with its marks and digits. Cards and customers around the Gulf have names in
        /// Arabic.
        case any
    }

    public let letters: Letters
    /// The other allowed characters, possibly including a space.
    public let others: String
    /// A bit for each ASCII character, set if the character is allowed.
    private let ascii: UInt128

    init(letters: Letters, others: String) {
        self.letters = letters
        self.others = others
        let alphanumeric = letters == .none ? "0123456789" : Self.alphanumeric
        ascii = (alphanumeric + others).utf8.reduce(0) { $0 | ($1 < 0x80 ? 1 << $1 : 0) }
    }

    public var allowSpaces: Bool { contains(ascii: UInt8(ascii: " ")) }

    public func contains(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isASCII
            ? contains(ascii: UInt8(scalar.value))
            : isLetterOrDigit(scalar) || others.unicodeScalars.contains(scalar)
    }

    /// Whether an ASCII byte is allowed; `false` for any other byte.
    func contains(ascii byte: UInt8) -> Bool { ascii >> byte & 1 == 1 }

    private static let alphanumeric = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

    /// Whether a scalar beyond ASCII is an allowed letter or digit.
    private func isLetterOrDigit(_ scalar: Unicode.Scalar) -> Bool {
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
    /// The allowed characters in words, for example "letters, digits and - _ .".
    public var description: String {
        let base =
            switch letters {
            case .none: "digits"
            case .ascii: "letters A to Z, digits"
            case .any: "letters, digits"
            }
        let signs = others.unicodeScalars.filter { $0 != " " }.map(String.init) + (allowSpaces ? ["space"] : [])
        return signs.isEmpty ? base : "\(base) and \(signs.joined(separator: " "))"
    }
}
