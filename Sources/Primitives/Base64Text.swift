/// Base64 (RFC 4648, 4) as it arrived, and what it means.
///
/// Strict, because FORT gets the text and the signature covers the bytes, and both must say the same: the standard
/// alphabet, padding, no white space, no bits set beyond the last byte. So one value has exactly one text.
public struct Base64Text: Hashable, Sendable {
    /// The base64 text, unchanged.
    public let text: String
    /// The decoded bytes.
    public let bytes: [UInt8]

    /// - Throws: ``TextEncodingError`` that says what is wrong with the text.
    public init(_ text: String) throws(TextEncodingError) {
        self.text = text
        bytes = try Self.decode(Array(text.utf8))
    }

    /// The text for these bytes.
    public init(encoding bytes: [UInt8]) {
        self.bytes = bytes
        text = Self.encode(bytes)
    }
}

extension Base64Text {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    private static let padding = UInt8(ascii: "=")

    /// The six bits of each letter; 255 where a byte is none.
    private static let values: [UInt8] = {
        var values = [UInt8](repeating: .max, count: 256)
        for (value, letter) in alphabet.enumerated() { values[Int(letter)] = UInt8(value) }
        return values
    }()

    private static func decode(_ letters: [UInt8]) throws(TextEncodingError) -> [UInt8] {
        guard letters.count.isMultiple(of: 4) else {
            throw TextEncodingError("is not base64: \(letters.count) characters, which is no multiple of four")
        }
        let padded = letters.suffix(2).reversed().prefix { $0 == padding }.count
        // The letter A, six bits of zero, where padding stands.
        var groups = letters
        for place in letters.indices.suffix(padded) { groups[place] = UInt8(ascii: "A") }
        let (decoded, seen) = decode(whole: groups)
        var bytes = decoded
        guard seen <= 0x3F else {
            let place = groups.firstIndex { values[Int($0)] == .max } ?? 0
            throw TextEncodingError("is not base64: character \(place + 1) is not of its alphabet")
        }
        // What stands for no byte must be zero.
        guard bytes.suffix(padded).allSatisfy({ $0 == 0 }) else { throw .trailingBits }
        bytes.removeLast(padded)
        return bytes
    }

    /// The bytes of whole groups of letters, and every bit that stood in one of the letters' values.
    private static func decode(whole groups: [UInt8]) -> (bytes: [UInt8], seen: UInt8) {
        let values = values
        let count = groups.count / 4
        var seen: UInt8 = 0
        var bytes = [UInt8](repeating: 0, count: 3 * count)
        for group in 0..<count {
            let first = values[Int(groups[4 * group])]
            let second = values[Int(groups[4 * group + 1])]
            let third = values[Int(groups[4 * group + 2])]
            let fourth = values[Int(groups[4 * group + 3])]
            seen |= first | second | third | fourth
            bytes[3 * group] = first << 2 | second >> 4
            bytes[3 * group + 1] = second << 4 | third >> 2
            bytes[3 * group + 2] = third << 6 | fourth
        }
        return (bytes, seen)
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
