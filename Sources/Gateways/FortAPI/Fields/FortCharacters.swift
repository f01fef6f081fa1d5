import PayrelayPrimitives

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
    /// A bit for each ASCII character that is allowed.
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

    /// False for a byte that is not ASCII.
    func contains(ascii byte: UInt8) -> Bool { ascii >> byte & 1 == 1 }

    private static let alphanumeric = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

    /// Of a scalar beyond ASCII.
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
    /// For example "letters, digits and - _ .".
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
