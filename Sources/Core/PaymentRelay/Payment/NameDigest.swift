import Crypto
import PayrelayPrimitives
// The canonical decomposition. The standard library publishes no other API for it, and FoundationEssentials has
// none.
@_spi(_Unicode) import Swift

/// The SHA-256 of a customer's name, by which payments are searched. Like ``EmailDigest`` it has no secret. It is
/// erased with the name.
///
/// - Two names are equal if they have the same parts in any order: `Doe, Jane` equals `Jane DOE`. A search for only
///   some parts of a name finds nothing.
/// - Parts consist of letters and digits.
/// - Case, marks (`é` equals `e`, `أ` equals `ا`), apostrophes and invisible characters do not count.
/// - Letters that people confuse are equal: `ة` and `ه`, `ى` and `ي`, `ł` and `l`.
public struct NameDigest: Sendable, Hashable {
    /// 32 bytes.
    public let bytes: [UInt8]

    /// Returns the digest of a name; `nil` if the name has neither a letter nor a digit.
    public init?(of name: String) {
        let parts = Self.parts(of: name)
        guard !parts.isEmpty else { return nil }
        bytes = Array(SHA256.hash(data: Array(parts.joined(separator: [0x20]))))
    }

    /// Returns the parts of a name, in UTF-8, in the order of their bytes.
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

    /// Letters that have no canonical decomposition.
    private static let sameLetters = [
        "ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ı": "i", "ς": "σ",
        "ة": "ه", "ى": "ي", "ی": "ي", "ک": "ك", "ٱ": "ا",
    ]
}

extension CustomerDetails {
    /// The digest of the customer's name; `nil` if no name is known.
    public var nameDigest: NameDigest? { name.flatMap { NameDigest(of: $0) } }
}
