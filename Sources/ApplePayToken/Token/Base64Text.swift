/// Base64 (RFC 4648, 4) as it arrived, and what it means.
///
/// Strict, because FORT gets the text and the signature covers the bytes, and both must say the same: the standard
/// alphabet, padding, no white space, no bits set beyond the last byte. So one value has exactly one text.
public struct Base64Text: Hashable, Sendable {
    /// The base64 text, unchanged.
    public let text: String
    /// The decoded bytes.
    public let bytes: [UInt8]

    /// - Throws: ``EncodingFault`` that says what is wrong with the text.
    public init(_ text: String) throws(EncodingFault) {
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

    private static func decode(_ letters: [UInt8]) throws(EncodingFault) -> [UInt8] {
        guard letters.count.isMultiple(of: 4) else {
            throw EncodingFault("is not base64: \(letters.count) characters, which is no multiple of four")
        }
        let padded = letters.suffix(2).reversed().prefix { $0 == padding }.count
        var bytes: [UInt8] = []
        bytes.reserveCapacity(letters.count / 4 * 3)
        var bits: UInt32 = 0
        for (place, letter) in letters.dropLast(padded).enumerated() {
            let value = values[Int(letter)]
            guard value != .max else {
                throw EncodingFault("is not base64: character \(place + 1) is not of its alphabet")
            }
            bits = bits << 6 | UInt32(value)
            guard place % 4 == 3 else { continue }
            bytes.append(UInt8(truncatingIfNeeded: bits >> 16))
            bytes.append(UInt8(truncatingIfNeeded: bits >> 8))
            bytes.append(UInt8(truncatingIfNeeded: bits))
            bits = 0
        }
        switch padded {
        case 1:
            guard bits & 0b11 == 0 else { throw .trailingBits }
            bytes.append(UInt8(truncatingIfNeeded: bits >> 10))
            bytes.append(UInt8(truncatingIfNeeded: bits >> 2))
        case 2:
            guard bits & 0b1111 == 0 else { throw .trailingBits }
            bytes.append(UInt8(truncatingIfNeeded: bits >> 4))
        default: break
        }
        return bytes
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

extension EncodingFault {
    fileprivate static let trailingBits = EncodingFault("is not base64: bits are set beyond the last byte")
}
