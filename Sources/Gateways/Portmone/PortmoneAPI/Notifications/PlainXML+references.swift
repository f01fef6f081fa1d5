import PayrelayPrimitives

extension PlainXML {
    /// Reads one of the five predefined entities, or a numeric reference.
    mutating func readReference() throws(PlainXMLError) -> [UInt8] {
        for (reference, byte) in Self.predefined where has(reference) {
            position += reference.utf8.count
            return [UInt8(ascii: byte)]
        }
        let start = position
        let isHex = has("&#x")
        guard isHex || has("&#") else { throw .unexpected(at: start) }
        position += isHex ? 3 : 2
        var value: UInt32 = 0
        var digits = 0
        while position < bytes.count, digits <= 7, let digit = bytes[position].hexDigitValue,
            isHex || digit < 10
        {
            value = value * (isHex ? 16 : 10) + UInt32(digit)
            digits += 1
            position += 1
        }
        guard (1...7).contains(digits), let scalar = Unicode.Scalar(value), Self.isText(scalar) else {
            throw .unexpected(at: start)
        }
        try expect(";")
        return Array(String(scalar).utf8)
    }

    private static let predefined: [(String, Unicode.Scalar)] = [
        ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"),
    ]

    /// Returns whether XML 1.0 allows the character and does not discourage it as a control character.
    private static func isText(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09, 0x0A, 0x0D, 0x20...0x7E, 0xA0...0xD7FF, 0xE000...0xFFFD, 0x10000...0x10FFFF: true
        default: false
        }
    }
}
