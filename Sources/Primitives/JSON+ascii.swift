extension JSON {
    /// This value as JSON of visible ASCII and spaces alone: everything else is escaped (`\u` and four digits, in pairs beyond the BMP).
    public func encodedInASCII() -> [UInt8] {
        let plain = encoded()
        if plain.withUnsafeBufferPointer({ $0.hasNone { $0.beyondASCII | $0.equal(to: 0x7F) } }) { return plain }
        var bytes: [UInt8] = []
        // Beyond visible ASCII there is nothing outside of strings, so that all of it may be escaped where it stands.
        for unit in String(decoding: plain, as: UTF8.self).utf16 {
            if unit < 0x7F {
                bytes.append(UInt8(unit))
            } else {
                let digits = String(unit, radix: 16)
                bytes.append(contentsOf: ("\\u" + String(repeating: "0", count: 4 - digits.count) + digits).utf8)
            }
        }
        return bytes
    }
}
