import PayrelayPrimitives

/// Decodes base64 around JSON text, as apps write it. The members in that JSON are Apple's, and are read more
/// strictly (``Base64Text``).
///
/// These deviations from RFC 4648, section 4, are accepted, because the text still has only one meaning:
/// - lines of 64 or 76 characters, as the options of `NSData` and MIME (RFC 2045, 6.8) break them, with one kind
///   of line break,
/// - the URL alphabet (RFC 4648, section 5), unless both alphabets are mixed,
/// - missing padding.
enum WrappedBase64 {
    /// Returns the bytes; `nil` if the text is not such base64.
    static func decode(_ text: String) -> [UInt8]? {
        guard var letters = withoutLineBreaks(Array(text.utf8)) else { return nil }
        if letters.contains(where: { $0 == minus || $0 == underscore }) {
            guard !letters.contains(where: { $0 == plus || $0 == slash }) else { return nil }
            letters = letters.map { $0 == minus ? plus : $0 == underscore ? slash : $0 }
        }
        if letters.last != padding {
            // A single remaining letter has fewer bits than a byte.
            guard letters.count % 4 != 1 else { return nil }
            letters += Array(repeating: padding, count: (4 - letters.count % 4) % 4)
        }
        return (try? Base64Text(String(decoding: letters, as: UTF8.self)))?.bytes
    }

    private static func withoutLineBreaks(_ text: [UInt8]) -> [UInt8]? {
        guard let first = text.firstIndex(where: { $0 == carriageReturn || $0 == lineFeed }) else { return text }
        let hasBoth = text[first] == carriageReturn && text[(first + 1)...].first == lineFeed
        let lineBreak = hasBoth ? [carriageReturn, lineFeed] : [text[first]]
        guard [64, 76].contains(first) else { return nil }
        var (letters, rest): ([UInt8], ArraySlice<UInt8>) = ([], text[...])
        while rest.count > first {
            letters += rest.prefix(first)
            rest = rest.dropFirst(first)
            guard rest.starts(with: lineBreak) else { return nil }
            rest = rest.dropFirst(lineBreak.count)
        }
        // The last line may end with the same line break.
        if rest.suffix(lineBreak.count).elementsEqual(lineBreak) { rest = rest.dropLast(lineBreak.count) }
        letters += rest
        return letters.contains { $0 == carriageReturn || $0 == lineFeed } ? nil : letters
    }

    private static let (plus, slash, minus, underscore, padding) = (
        UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "=")
    )
    private static let (carriageReturn, lineFeed) = (UInt8(ascii: "\r"), UInt8(ascii: "\n"))
}
