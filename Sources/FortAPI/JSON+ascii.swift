import OrderedJSON

extension JSON {
    /// This value as JSON in which everything beyond ASCII is escaped (`\uXXXX`, in pairs beyond the BMP).
    func encodedInASCII() -> [UInt8] {
        var bytes: [UInt8] = []
        // Beyond ASCII there is nothing outside of strings, so that every such character may be escaped where it stands.
        for unit in String(decoding: encoded(), as: UTF8.self).utf16 {
            if unit < 0x80 {
                bytes.append(UInt8(unit))
            } else {
                let digits = String(unit, radix: 16)
                bytes.append(contentsOf: ("\\u" + String(repeating: "0", count: 4 - digits.count) + digits).utf8)
            }
        }
        return bytes
    }
}
