extension ByteWriter {
    /// Appends one ASCII byte, or whole characters beyond ASCII, escaped as in a JSON string (RFC 8259, 7).
    mutating func appendEscaped(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) {
        switch bytes.first {
        case UInt8(ascii: "\"")?: append(#"\""#)
        case UInt8(ascii: "\\")?: append(#"\\"#)
        case 0x0A?: append(#"\n"#)
        case 0x0D?: append(#"\r"#)
        case 0x09?: append(#"\t"#)
        default:
            for unit in String(decoding: bytes, as: UTF8.self).utf16 {
                append(#"\u"#)
                for shift in [12, 8, 4, 0] { append(HexText.digit(UInt8(unit >> shift & 15))) }
            }
        }
    }
}
