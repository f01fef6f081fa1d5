import Crypto
import PayrelayPrimitives

/// The SHA-256 of the last eight digits of a phone number, by which payments are searched: `+971 50 123 4567`,
/// `00971501234567` and `(050) 123-4567` are equal. With more digits, a number with its country code could differ
/// from the same number without it, because the shortest national numbers have eight digits.
///
/// Like ``EmailDigest`` it has no secret, and all combinations of so few digits can be tried. It is written with
/// the number in clear, and erased with it.
public struct PhoneDigest: Sendable, Hashable {
    /// 32 bytes.
    public let bytes: [UInt8]

    /// Returns the digest of a number; `nil` if it has fewer than 8 digits, or more than 17 (`00` and the 15 of
    /// E.164). All other characters are ignored.
    public init?(of number: String) {
        let digits = number.unicodeScalars.compactMap(\.phoneDigit)
        guard (Self.compared...17).contains(digits.count) else { return nil }
        bytes = Array(SHA256.hash(data: digits.suffix(Self.compared)))
    }

    private static let compared = 8
}

extension Unicode.Scalar {
    /// The ASCII code of a digit on the keys of European, Arabic and Persian phones; `nil` for other characters.
    fileprivate var phoneDigit: UInt8? {
        switch self {
        case "0"..."9": UInt8(value)
        case "٠"..."٩": UInt8(0x30 + value - 0x660)
        case "۰"..."۹": UInt8(0x30 + value - 0x6F0)
        default: nil
        }
    }
}

extension CustomerDetails {
    /// The digest of the customer's phone number; `nil` if no number is known, or the text cannot be one.
    public var phoneDigest: PhoneDigest? { phoneNumber.flatMap { PhoneDigest(of: $0) } }
}
