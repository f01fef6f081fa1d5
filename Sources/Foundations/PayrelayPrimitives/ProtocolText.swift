/// Functions for protocol text that work on bytes.
///
/// Swift's own `split`, `contains`, `hasPrefix`, `trimming`, `replacing`, `lowercased` and `==` work on
/// characters: several scalars can form one grapheme, and different spellings of it are equal. So a comma before
/// U+0301 does not count as a comma, and U+212A counts as a `K`. The peer that reads or wrote the same bytes
/// treats them differently. `make lint` rejects those functions in the sources.
extension StringProtocol where SubSequence == Substring, UTF8View: BidirectionalCollection {
    /// Returns the parts between separators, which are ASCII characters. Empty parts are included.
    package func parts(at separator: Unicode.Scalar, max: Int = .max) -> [Substring] {
        utf8.split(separator: UInt8(ascii: separator), maxSplits: max - 1, omittingEmptySubsequences: false)
            .map { self[$0.startIndex..<$0.endIndex] }
    }

    /// The parts that are separated by ASCII white space.
    package var words: [Substring] {
        utf8.split(whereSeparator: \.isASCIIWhiteSpace).map { self[$0.startIndex..<$0.endIndex] }
    }

    /// The lines, which end with LF, CR LF or the end of the text. Empty lines are included.
    package var lines: [Substring] {
        parts(at: "\n").map { $0.utf8.last == UInt8(ascii: "\r") ? $0[..<$0.utf8.index(before: $0.endIndex)] : $0 }
    }

    /// Splits the text at the first separator, which is an ASCII character. If there is none, `before` is the
    /// whole text and `after` is `nil`.
    @inlinable package func cut(at separator: Unicode.Scalar) -> (before: Substring, after: Substring?) {
        guard let place = utf8.firstIndex(of: UInt8(ascii: separator)) else { return (self[...], nil) }
        return (self[..<place], self[utf8.index(after: place)...])
    }

    /// The text without surrounding ASCII white space.
    @inlinable package var trimmed: Substring { trimmed { $0.isASCIIWhiteSpace } }

    /// The text without surrounding spaces and tabs (RFC 9110, 5.6.3).
    @inlinable package var trimmedOfSpaces: Substring { trimmed { $0 == 0x20 || $0 == 0x09 } }

    @inlinable func trimmed(of isTrimmed: (UInt8) -> Bool) -> Substring {
        guard let start = utf8.firstIndex(where: { !isTrimmed($0) }),
            let end = utf8.lastIndex(where: { !isTrimmed($0) })
        else { return self[endIndex...] }
        return self[start..<utf8.index(after: end)]
    }

    /// The text without the LF or CR LF at its end, if there is one.
    package var withoutLineBreakAtEnd: Substring {
        let lines = self.lines
        return lines.last?.isEmpty == true ? self[..<lines[Swift.max(0, lines.count - 2)].endIndex] : self[...]
    }

    /// Returns the text without any of these ASCII characters at its beginning.
    package func dropping(first character: Unicode.Scalar) -> Substring {
        self[(utf8.firstIndex { $0 != UInt8(ascii: character) } ?? endIndex)...]
    }

    /// Returns the text without any of these ASCII characters at its end.
    package func dropping(last character: Unicode.Scalar) -> Substring {
        self[..<(utf8.lastIndex { $0 != UInt8(ascii: character) }.map { utf8.index(after: $0) } ?? startIndex)]
    }

    /// Returns the text after a beginning; `nil` if the text begins differently.
    @inlinable package func after(_ beginning: String) -> Substring? {
        begins(with: beginning) ? self[utf8.index(startIndex, offsetBy: beginning.utf8.count)...] : nil
    }

    /// Returns the text between these two ASCII characters; `nil` if they do not enclose it.
    package func between(_ first: Unicode.Scalar, _ last: Unicode.Scalar) -> Substring? {
        guard utf8.count >= 2, utf8.first == UInt8(ascii: first), utf8.last == UInt8(ascii: last) else { return nil }
        return self[utf8.index(after: startIndex)..<utf8.index(before: endIndex)]
    }
}

extension StringProtocol {
    /// Calls the body with the text in UTF-8, without copying. `withUTF8` would need a mutable string, and so a
    /// copy with its own reference count.
    @inlinable package func withBytes<Value>(_ body: (UnsafeBufferPointer<UInt8>) throws -> Value) rethrows -> Value {
        try utf8.withContiguousStorageIfAvailable(body) ?? Array(utf8).withUnsafeBufferPointer(body)
    }

    @inlinable package func begins(with beginning: String) -> Bool {
        withBytes { own in
            beginning.withBytes { beginning in
                own.count >= beginning.count
                    && UnsafeBufferPointer(rebasing: own[..<beginning.count]).hasSameBytes(as: beginning)
            }
        }
    }

    package func ends(with end: String) -> Bool { utf8.suffix(end.utf8.count).elementsEqual(end.utf8) }

    /// Returns at most so many scalars from the beginning. The limit is not in characters, because a single
    /// character can have any number of scalars.
    package func beginning(_ count: Int) -> String { String(String.UnicodeScalarView(unicodeScalars.prefix(count))) }

    /// Returns whether the text contains this ASCII character.
    @inlinable package func has(_ character: Unicode.Scalar) -> Bool { utf8.contains(UInt8(ascii: character)) }

    /// Returns whether the text contains these bytes in a row.
    package func has(_ text: String) -> Bool {
        let wanted = Array(text.utf8)
        var rest = utf8[...]
        while rest.count >= wanted.count {
            if rest.starts(with: wanted) { return true }
            rest = rest.dropFirst()
        }
        return false
    }

    /// Returns whether both texts have the same bytes.
    @inlinable package func isExactly(_ other: some StringProtocol) -> Bool {
        withBytes { own in other.withBytes { own.hasSameBytes(as: $0) } }
    }

    /// Returns whether both texts have the same bytes, ignoring the case of ASCII letters.
    @inlinable package func isSame(ignoringCaseOf other: some StringProtocol) -> Bool {
        withBytes { own in
            other.withBytes { other in
                own.count == other.count
                    && own.indices.allSatisfy { own[$0].lowercasedASCII == other[$0].lowercasedASCII }
            }
        }
    }

    /// The text with `A` to `Z` in lower case and everything else unchanged.
    @inlinable package var lowercasedASCII: String {
        withBytes { bytes in
            String(unsafeUninitializedCapacity: bytes.count) { lowercased in
                for place in bytes.indices { lowercased.initializeElement(at: place, to: bytes[place].lowercasedASCII) }
                return bytes.count
            }
        }
    }

    /// The text with `a` to `z` in upper case and everything else unchanged.
    package var uppercasedASCII: String { String(decoding: utf8.map(\.uppercasedASCII), as: UTF8.self) }

    /// The text with its first letter in upper case, if that is `a` to `z`.
    package var capitalizedASCII: String {
        String(decoding: [utf8.first].compactMap { $0?.uppercasedASCII } + utf8.dropFirst(), as: UTF8.self)
    }

    /// Returns the text with each occurrence of `old`, which must not be empty, replaced with `new`.
    package func replacingEach(_ old: String, with new: String) -> String {
        let (text, wanted) = (Array(utf8), Array(old.utf8))
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count)
        var place = 0
        while place < text.count {
            if text[place] == wanted.first, text[place...].starts(with: wanted) {
                bytes += new.utf8
                place += wanted.count
            } else {
                bytes.append(text[place])
                place += 1
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension UInt8 {
    /// Whether the byte is SP, HT, LF, VT, FF or CR.
    @inlinable package var isASCIIWhiteSpace: Bool { self == 0x20 || (0x09...0x0D).contains(self) }

    fileprivate var isVisibleASCII: Bool { (0x21..<0x7F).contains(self) }

    @inlinable package var isASCIIDigit: Bool { (0x30...0x39).contains(self) }

    @inlinable package var isASCIILetter: Bool { (0x41...0x5A).contains(self & ~0x20) }

    /// Whether the byte may be part of a token (RFC 9110, 5.6.2).
    package var isHTTPTokenByte: Bool { isASCIILetter || isASCIIDigit || "!#$%&'*+-.^_`|~".utf8.contains(self) }

    /// The value of a hexadecimal digit in either case; `nil` for any other byte.
    package var hexDigitValue: UInt8? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
        default: nil
        }
    }

    @inlinable package var lowercasedASCII: UInt8 { (0x41...0x5A).contains(self) ? self | 0x20 : self }
    fileprivate var uppercasedASCII: UInt8 { (0x61...0x7A).contains(self) ? self & ~0x20 : self }
}

extension String {
    /// The text without surrounding Unicode white space.
    package var trimmedOfWhiteSpace: String {
        // Nearly every value needs no trimming, and values of tokens are long, so they are not copied.
        if withBytes({ $0.first?.isVisibleASCII == true && $0.last?.isVisibleASCII == true }) { return self }
        let scalars = unicodeScalars
        guard let start = scalars.firstIndex(where: { !$0.isSpace }),
            let end = scalars.lastIndex(where: { !$0.isSpace })
        else { return "" }
        return String(scalars[start...end])
    }
}

extension Unicode.Scalar {
    fileprivate var isSpace: Bool {
        isASCII ? self == " " || ("\u{9}"..."\u{D}").contains(self) : properties.isWhitespace
    }
}
