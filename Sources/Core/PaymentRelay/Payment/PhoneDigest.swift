import Crypto
import PayrelayPrimitives

/// SHA-256 of the last eight digits of a phone number, by which payments are searched: `+971 50 123 4567`, `00971501234567` and
/// `(050) 123-4567` are one. More digits would tell a number with its country from the same one without: national numbers have eight and more.
///
/// Like ``EmailDigest`` it has no secret, and so few digits can all be tried. It is written with the number in clear and erased with it.
public struct PhoneDigest: Sendable, Hashable {
    /// 32 bytes.
    public let bytes: [UInt8]

    /// Nil where the number has fewer than 8 digits, or more than 17: `00` and the 15 of E.164. All that is no digit is left out, in any text.
    public init?(of number: String) {
        let digits = number.unicodeScalars.compactMap(\.phoneDigit)
        guard (Self.compared...17).contains(digits.count) else { return nil }
        bytes = Array(SHA256.hash(data: digits.suffix(Self.compared)))
    }

    private static let compared = 8
}

extension Unicode.Scalar {
    /// In ASCII, of the digits on the keys of phones: European, Arabic and Persian ones.
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
    /// Nil where no number is known, or it is none.
    public var phoneDigest: PhoneDigest? { phoneNumber.flatMap { PhoneDigest(of: $0) } }
}
