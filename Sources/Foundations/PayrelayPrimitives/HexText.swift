/// A text of hexadecimal digits together with the bytes that it encodes.
///
/// An odd number of digits, or a letter beyond `f`, is an error. Decoders that stop at such a digit would
/// silently shorten the data that was signed.
public struct HexText: Hashable, Sendable {
    /// The digits as they were received, in their original case.
    public let text: String
    /// The decoded bytes.
    public let bytes: [UInt8]

    /// - Throws: ``TextEncodingError`` with the problem of the text.
    public init(_ text: String) throws(TextEncodingError) {
        self.text = text
        bytes = try text.withBytes { digits in
            Result { () throws(TextEncodingError) in try Self.decode(digits) }
        }.get()
    }

    /// Creates the digits for the bytes, in lower case, as Apple writes `transactionId`.
    public init(encoding source: some Sequence<UInt8>) {
        bytes = Array(source)
        text = bytes.withUnsafeBytes { Self.text(of: $0) }
    }

    /// Returns the digits for the bytes, in lower case.
    package static func text(of bytes: UnsafeRawBufferPointer) -> String {
        String(unsafeUninitializedCapacity: 2 * bytes.count) { digits in
            for place in bytes.indices {
                digits[2 * place] = digit(bytes[place] >> 4)
                digits[2 * place + 1] = digit(bytes[place] & 15)
            }
            return 2 * bytes.count
        }
    }

    /// Returns the digit for a value below 16.
    static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }

    /// Returns whether the other text has the same digits, ignoring case.
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
                throw TextEncodingError("is not hex: character \(place + 1) or \(place + 2) is not a hexadecimal digit")
            }
            bytes.append(high << 4 | low)
        }
        return bytes
    }
}
