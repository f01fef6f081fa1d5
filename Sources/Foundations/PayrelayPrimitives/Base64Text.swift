/// A base64 text (RFC 4648, 4) together with the bytes that it encodes.
///
/// Decoding is strict, because FORT gets the text while the signature covers the bytes, and both must mean the
/// same. Only the standard alphabet with padding is accepted, without white space and without set bits after the
/// last byte. So each value has exactly one text.
public struct Base64Text: Hashable, Sendable {
    /// The base64 text, unchanged.
    public let text: String
    /// The decoded bytes.
    public let bytes: [UInt8]

    /// - Throws: ``TextEncodingError`` with the problem of the text.
    public init(_ text: String) throws(TextEncodingError) {
        self.text = text
        bytes = try text.withBytes { letters in
            Result { () throws(TextEncodingError) in try Self.decode(letters) }
        }.get()
    }

    /// Creates the text for the bytes.
    public init(encoding bytes: [UInt8]) {
        self.bytes = bytes
        text = Self.encode(bytes)
    }
}

extension Base64Text {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    private static let padding = UInt8(ascii: "=")

    /// The six bits of each letter, shifted to their position in a group of 24 bits, for each of the four
    /// positions; ``noLetter`` if a byte is not a letter of the alphabet. Decoding one letter at a time took
    /// 79,000 more instructions for a token, 3.6 % of a payment.
    private static let groupBits: [UInt32] = {
        var bits = [UInt32](repeating: noLetter, count: 4 * 256)
        for place in 0..<4 {
            for (value, letter) in alphabet.enumerated() {
                bits[256 * place + Int(letter)] = UInt32(value) << (18 - 6 * place)
            }
        }
        return bits
    }()

    /// A bit above the 24 bits of a group.
    private static let noLetter: UInt32 = 1 << 24

    private static func decode(_ letters: UnsafeBufferPointer<UInt8>) throws(TextEncodingError) -> [UInt8] {
        guard letters.count.isMultiple(of: 4) else {
            throw TextEncodingError("is not base64: \(letters.count) characters, which is not a multiple of four")
        }
        let padded = letters.suffix(2).reversed().prefix { $0 == padding }.count
        var (seen, trailing) = (0 as UInt32, 0 as UInt32)
        let bytes = [UInt8](unsafeUninitializedCapacity: letters.count / 4 * 3) { bytes, count in
            (count, seen, trailing) = decode(letters, padded: padded, into: bytes)
        }
        guard seen < noLetter else {
            let place = letters.dropLast(padded).firstIndex { groupBits[Int($0)] == noLetter } ?? 0
            throw TextEncodingError("is not base64: character \(place + 1) is not of its alphabet")
        }
        // The bits after the last byte must be zero.
        guard trailing == 0 else { throw .trailingBits }
        return bytes
    }

    /// Decodes groups of letters.
    ///
    /// - Parameters:
    ///   - letters: the letters, in whole groups of four.
    ///   - padded: the number of padding letters in the last group.
    ///   - bytes: the output, with room for three bytes per group.
    /// - Returns: the number of bytes that were written, the union of the bits of all groups, and the bits after
    ///   the last byte.
    private static func decode(
        _ letters: UnsafeBufferPointer<UInt8>, padded: Int, into bytes: UnsafeMutableBufferPointer<UInt8>
    ) -> (count: Int, seen: UInt32, trailing: UInt32) {
        let groups = letters.count / 4
        precondition(letters.count == 4 * groups && bytes.count >= 3 * groups && (padded == 0 || groups > 0))
        return groupBits.withUnsafeBufferPointer { bits in
            var seen: UInt32 = 0
            for group in 0..<(padded == 0 ? groups : groups - 1) {
                let value =
                    bits[Int(letters[4 * group])] | bits[256 + Int(letters[4 * group + 1])]
                    | bits[512 + Int(letters[4 * group + 2])] | bits[768 + Int(letters[4 * group + 3])]
                seen |= value
                bytes[3 * group] = UInt8(truncatingIfNeeded: value >> 16)
                bytes[3 * group + 1] = UInt8(truncatingIfNeeded: value >> 8)
                bytes[3 * group + 2] = UInt8(truncatingIfNeeded: value)
            }
            guard padded > 0 else { return (3 * groups, seen, 0) }
            let last = 4 * groups - 4
            var value = bits[Int(letters[last])] | bits[256 + Int(letters[last + 1])]
            if padded == 1 { value |= bits[512 + Int(letters[last + 2])] }
            bytes[3 * groups - 3] = UInt8(truncatingIfNeeded: value >> 16)
            if padded == 1 { bytes[3 * groups - 2] = UInt8(truncatingIfNeeded: value >> 8) }
            return (3 * groups - padded, seen | value, value & (1 << (8 * UInt32(padded)) - 1))
        }
    }

    private static func encode(_ bytes: [UInt8]) -> String {
        var letters: [UInt8] = []
        letters.reserveCapacity((bytes.count + 2) / 3 * 4)
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            var bits: UInt32 = 0
            for place in 0..<3 { bits = bits << 8 | (place < group.count ? UInt32(group[start + place]) : 0) }
            for place in 0..<4 {
                let value = Int(bits >> (18 - 6 * UInt32(place)) & 0x3F)
                letters.append(place <= group.count ? alphabet[value] : padding)
            }
        }
        return String(decoding: letters, as: UTF8.self)
    }
}

extension TextEncodingError {
    fileprivate static let trailingBits = TextEncodingError("is not base64: bits are set beyond the last byte")
}
