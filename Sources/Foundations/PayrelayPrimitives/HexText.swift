/// Hexadecimal digits as they arrived, and what they mean.
///
/// An odd digit or a letter beyond `f` is an error: decoders that stop there silently shorten what was signed.
public struct HexText: Hashable, Sendable {
    /// The digits, unchanged, in the case they came in.
    public let text: String
    /// The decoded bytes.
    public let bytes: [UInt8]

    /// - Throws: ``TextEncodingError`` that says what is wrong with the text.
    public init(_ text: String) throws(TextEncodingError) {
        self.text = text
        bytes = try text.withBytes { digits in
            Result { () throws(TextEncodingError) in try Self.decode(digits) }
        }.get()
    }

    /// The digits for these bytes, in lower case as Apple writes `transactionId`.
    public init(encoding source: some Sequence<UInt8>) {
        bytes = Array(source)
        text = bytes.withUnsafeBytes { Self.text(of: $0) }
    }

    /// The digits for these bytes, in lower case.
    package static func text(of bytes: UnsafeRawBufferPointer) -> String {
        String(unsafeUninitializedCapacity: 2 * bytes.count) { digits in
            for place in bytes.indices {
                digits[2 * place] = digit(bytes[place] >> 4)
                digits[2 * place + 1] = digit(bytes[place] & 15)
            }
            return 2 * bytes.count
        }
    }

    /// A digit for a value below 16.
    static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }

    /// Whether a text has the same digits, in either case.
    public func hasSameDigits(as other: String) -> Bool {
        text.withBytes { own in
            other.withBytes { others in
                own.count == others.count && zip(own, others).allSatisfy { $0 == $1 || $0 ^ $1 == 0x20 && $0 > 0x40 }
            }
        }
    }

    private static func decode(_ digits: UnsafeBufferPointer<UInt8>) throws(TextEncodingError) -> [UInt8] {
        guard digits.count.isMultiple(of: 2) else {
            throw TextEncodingError("is not hex: \(digits.count) digits, which is an odd number")
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(digits.count / 2)
        for place in stride(from: 0, to: digits.count, by: 2) {
            guard let high = digits[place].hexDigitValue, let low = digits[place + 1].hexDigitValue else {
                throw TextEncodingError("is not hex: character \(place + 1) or \(place + 2) is no hexadecimal digit")
            }
            bytes.append(high << 4 | low)
        }
        return bytes
    }
}
