import FoundationEssentials
import PayrelayPrimitives

/// A cursor as clients get it: base64url of 6 bytes with the milliseconds since 1970, big-endian, and the
/// reference. It only marks the end of a page. It grants nothing, because each query states which payments it may
/// see.
extension PaymentCursor {
    public var text: String {
        let milliseconds = EpochMilliseconds(at).milliseconds
        let moment = (0..<Self.momentLength).map {
            UInt8(truncatingIfNeeded: milliseconds >> (8 * (Self.momentLength - 1 - $0)))
        }
        return Base64URL.encode(moment + merchantReference.utf8)
    }

    /// Reads a cursor; `nil` if the text is not a cursor.
    public init?(_ text: String) {
        guard text.utf8.count <= Self.textLimit, let bytes = Base64URL.decode(text), bytes.count > Self.momentLength
        else { return nil }
        let milliseconds = bytes[..<Self.momentLength].reduce(0) { $0 << 8 | Int($1) }
        guard let moment = EpochMilliseconds(milliseconds: milliseconds),
            // A reference never contains a control character, and PostgreSQL does not accept NUL.
            let reference = String(validating: bytes[Self.momentLength...], as: UTF8.self),
            reference.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F })
        else { return nil }
        self.init(at: moment.date, merchantReference: reference)
    }

    /// The number of bytes. The milliseconds of 48 bits reach beyond the year 9999.
    private static let momentLength = 6
    private static let textLimit = 512
}

/// A cursor as a URL has it: the number of the entry, a hyphen, and the cursor of its payment.
extension ChangeCursor {
    public var text: String { "\(number)-\(PaymentCursor(at: at, merchantReference: merchantReference).text)" }

    /// Reads a cursor; `nil` if the text is not a cursor.
    public init?(_ text: String) {
        let (digits, rest) = text.cut(at: "-")
        guard digits.utf8.count <= Self.digitsLimit, digits.utf8.allSatisfy(\.isASCIIDigit), let number = Int(digits),
            let place = rest.flatMap({ PaymentCursor(String($0)) })
        else { return nil }
        self.init(at: place.at, merchantReference: place.merchantReference, number: number)
    }

    private static let digitsLimit = 10
}
