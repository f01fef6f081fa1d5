/// Percent-encoding of URLs and forms (RFC 3986, 2.1).
package enum PercentEncoding {
    /// Returns the text with every byte escaped, except letters, digits and the characters in `kept`.
    package static func encoded(_ text: String, keeping kept: String = "-._") -> String {
        var encoded: [UInt8] = []
        for byte in text.utf8 {
            if byte.isASCIILetter || byte.isASCIIDigit || kept.utf8.contains(byte) {
                encoded.append(byte)
            } else {
                encoded += "%\(HexText(encoding: [byte]).text.uppercasedASCII)".utf8
            }
        }
        return String(decoding: encoded, as: UTF8.self)
    }

    /// Returns the decoded bytes; `nil` if a `%` is not followed by two hexadecimal digits.
    package static func decoded(_ text: some Sequence<UInt8>) -> [UInt8]? {
        var bytes: [UInt8] = []
        var rest = text.makeIterator()
        while let byte = rest.next() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.next()?.hexDigitValue, let low = rest.next()?.hexDigitValue else { return nil }
            bytes.append(high << 4 | low)
        }
        return bytes
    }
}
