extension String {
    /// With `&amp;`, `&lt;`, `&gt;`, `&quot;` and `&#39;` instead of the characters, as PHP's `htmlspecialchars` writes them.
    var htmlEncoded: String {
        // The ampersand first, or it would be encoded again in what the others become.
        replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
            .replacing("\"", with: "&quot;").replacing("'", with: "&#039;")
    }

    /// With the characters that those entities stand for.
    var htmlDecoded: String {
        replacing("&lt;", with: "<").replacing("&gt;", with: ">").replacing("&quot;", with: "\"")
            .replacing("&#039;", with: "'").replacing("&#39;", with: "'").replacing("&apos;", with: "'")
            .replacing("&amp;", with: "&")
    }

    /// With all but letters, digits and these escaped as `%XX`, byte by byte.
    func percentEncoded(except others: String) -> String {
        let kept = Set(others.utf8)
        return utf8.map { byte -> String in
            let sign = Character(Unicode.Scalar(byte))
            if byte < 0x80 && (sign.isLetter || sign.isNumber) || kept.contains(byte) { return String(sign) }
            return "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
        }.joined()
    }
}
