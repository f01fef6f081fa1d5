import Crypto
import PayrelayPrimitives
// The canonical decomposition: the standard library publishes no other, and FoundationEssentials has none.
@_spi(_Unicode) import Swift

/// SHA-256 of a customer's name, by which payments are searched. It has no secret, as ``EmailDigest``, and is erased with the name.
///
/// Names are one where they have the same parts in any order: `Doe, Jane` is `Jane DOE`. Parts are letters and digits; case, marks (`é` is
/// `e`, `أ` is `ا`), apostrophes and invisible characters do not count, and letters that people take for one another are one: `ة` and `ه`,
/// `ى` and `ي`, `ł` and `l`. A part of a name finds nothing.
public struct NameDigest: Sendable, Hashable {
    /// 32 bytes.
    public let bytes: [UInt8]

    /// Nil where the name has neither letter nor digit.
    public init?(of name: String) {
        let parts = Self.parts(of: name)
        guard !parts.isEmpty else { return nil }
        bytes = Array(SHA256.hash(data: Array(parts.joined(separator: [0x20]))))
    }

    /// In UTF-8, in the order of their bytes.
    private static func parts(of name: String) -> [[UInt8]] {
        var parts: [[UInt8]] = [[]]
        for scalar in name._nfd {
            switch scalar.properties.generalCategory {
            case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .otherLetter, .spacingMark, .decimalNumber:
                let lowercase = scalar.properties.lowercaseMapping
                parts[parts.count - 1] += Array((sameLetters[lowercase] ?? lowercase).utf8)
            case .nonspacingMark, .enclosingMark, .format, .modifierLetter: break
            default:
                if !apostrophes.contains(scalar) { parts.append([]) }
            }
        }
        return parts.filter { !$0.isEmpty }.sorted { $0.lexicographicallyPrecedes($1) }
    }

    private static let apostrophes: Set<Unicode.Scalar> = ["'", "`", "‘", "’", "´"]

    /// Those that have no decomposition.
    private static let sameLetters = [
        "ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ı": "i", "ς": "σ",
        "ة": "ه", "ى": "ي", "ی": "ي", "ک": "ك", "ٱ": "ا",
    ]
}

extension CustomerDetails {
    /// Nil where no name is known.
    public var nameDigest: NameDigest? { name.flatMap { NameDigest(of: $0) } }
}
