/// Text of a protocol, by its bytes.
///
/// Swift's own `split`, `contains`, `hasPrefix`, `trimming`, `replacing`, `lowercased` and `==` see characters: a grapheme of several
/// scalars is one, and another spelling of it is equal. So a comma before U+0301 is no comma to them, and U+212A is a `K`. The
/// peer that reads or wrote the same bytes sees neither. `make lint` refuses those functions in the sources.
extension StringProtocol where SubSequence == Substring, UTF8View: BidirectionalCollection {
    /// The parts between each of these ASCII characters. Empty parts are parts.
    package func parts(at separator: Unicode.Scalar, max: Int = .max) -> [Substring] {
        utf8.split(separator: UInt8(ascii: separator), maxSplits: max - 1, omittingEmptySubsequences: false)
            .map { self[$0.startIndex..<$0.endIndex] }
    }

    /// The parts that have ASCII white space between them, and none in them.
    package var words: [Substring] {
        utf8.split(whereSeparator: \.isASCIIWhiteSpace).map { self[$0.startIndex..<$0.endIndex] }
    }

    /// The parts that end with LF, CR LF or the text. Empty ones are lines.
    package var lines: [Substring] {
        parts(at: "\n").map { $0.utf8.last == UInt8(ascii: "\r") ? $0[..<$0.utf8.index(before: $0.endIndex)] : $0 }
    }

    /// Splits at the first of these ASCII characters; if it is absent, `before` is the whole text and `after` is nil.
    @inlinable package func cut(at separator: Unicode.Scalar) -> (before: Substring, after: Substring?) {
        guard let place = utf8.firstIndex(of: UInt8(ascii: separator)) else { return (self[...], nil) }
        return (self[..<place], self[utf8.index(after: place)...])
    }

    /// Without the ASCII white space around it.
    @inlinable package var trimmed: Substring { trimmed { $0.isASCIIWhiteSpace } }

    /// Without the spaces and tabs around it (RFC 9110, 5.6.3).
    @inlinable package var trimmedOfSpaces: Substring { trimmed { $0 == 0x20 || $0 == 0x09 } }

    @inlinable func trimmed(of isTrimmed: (UInt8) -> Bool) -> Substring {
        guard let start = utf8.firstIndex(where: { !isTrimmed($0) }),
            let end = utf8.lastIndex(where: { !isTrimmed($0) })
        else { return self[endIndex...] }
        return self[start..<utf8.index(after: end)]
    }

    /// Without the LF or CR LF that it ends with, where it does.
    package var withoutLineBreakAtEnd: Substring {
        let lines = self.lines
        return lines.last?.isEmpty == true ? self[..<lines[Swift.max(0, lines.count - 2)].endIndex] : self[...]
    }

    /// Without these ASCII characters at its beginning.
    package func dropping(first character: Unicode.Scalar) -> Substring {
        self[(utf8.firstIndex { $0 != UInt8(ascii: character) } ?? endIndex)...]
    }

    /// Without these ASCII characters at its end.
    package func dropping(last character: Unicode.Scalar) -> Substring {
        self[..<(utf8.lastIndex { $0 != UInt8(ascii: character) }.map { utf8.index(after: $0) } ?? startIndex)]
    }

    /// Without this beginning; nil where it begins otherwise.
    @inlinable package func after(_ beginning: String) -> Substring? {
        begins(with: beginning) ? self[utf8.index(startIndex, offsetBy: beginning.utf8.count)...] : nil
    }

    /// Without these ASCII characters around it; nil where they are not there.
    package func between(_ first: Unicode.Scalar, _ last: Unicode.Scalar) -> Substring? {
        guard utf8.count >= 2, utf8.first == UInt8(ascii: first), utf8.last == UInt8(ascii: last) else { return nil }
        return self[utf8.index(after: startIndex)..<utf8.index(before: endIndex)]
    }
}

extension StringProtocol {
    /// The text in UTF-8, where it lies: `withUTF8` wants a string that can be changed, and so a copy with its own count of
    /// references.
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

    /// At most so many scalars of it. One character may have as many as a body has room for.
    package func beginning(_ count: Int) -> String { String(String.UnicodeScalarView(unicodeScalars.prefix(count))) }

    /// Whether it has this ASCII character.
    @inlinable package func has(_ character: Unicode.Scalar) -> Bool { utf8.contains(UInt8(ascii: character)) }

    /// Whether it has these bytes, one after another.
    package func has(_ text: String) -> Bool {
        let wanted = Array(text.utf8)
        var rest = utf8[...]
        while rest.count >= wanted.count {
            if rest.starts(with: wanted) { return true }
            rest = rest.dropFirst()
        }
        return false
    }

    /// Whether it has the same bytes.
    @inlinable package func isExactly(_ other: some StringProtocol) -> Bool {
        withBytes { own in other.withBytes { own.hasSameBytes(as: $0) } }
    }

    /// Whether it has the same bytes, where `A` to `Z` are `a` to `z`.
    @inlinable package func isSame(ignoringCaseOf other: some StringProtocol) -> Bool {
        withBytes { own in
            other.withBytes { other in
                own.count == other.count
                    && own.indices.allSatisfy { own[$0].lowercasedASCII == other[$0].lowercasedASCII }
            }
        }
    }

    /// With `a` to `z` for `A` to `Z`, and nothing else changed.
    @inlinable package var lowercasedASCII: String {
        withBytes { bytes in
            String(unsafeUninitializedCapacity: bytes.count) { lowercased in
                for place in bytes.indices { lowercased.initializeElement(at: place, to: bytes[place].lowercasedASCII) }
                return bytes.count
            }
        }
    }

    /// With `A` to `Z` for `a` to `z`, and nothing else changed.
    package var uppercasedASCII: String { String(decoding: utf8.map(\.uppercasedASCII), as: UTF8.self) }

    /// With a capital letter for `a` to `z` at its beginning.
    package var capitalizedASCII: String {
        String(decoding: [utf8.first].compactMap { $0?.uppercasedASCII } + utf8.dropFirst(), as: UTF8.self)
    }

    /// With these bytes in the place of those, which are one at least.
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
    /// SP, HT, LF, VT, FF or CR.
    @inlinable package var isASCIIWhiteSpace: Bool { self == 0x20 || (0x09...0x0D).contains(self) }

    fileprivate var isVisibleASCII: Bool { (0x21..<0x7F).contains(self) }

    @inlinable package var isASCIIDigit: Bool { (0x30...0x39).contains(self) }

    @inlinable package var isASCIILetter: Bool { (0x41...0x5A).contains(self & ~0x20) }

    /// RFC 9110, 5.6.2.
    package var isHTTPTokenByte: Bool { isASCIILetter || isASCIIDigit || "!#$%&'*+-.^_`|~".utf8.contains(self) }

    /// Of `0` to `9`, `a` to `f` and `A` to `F`; nil for another.
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
    /// Without the white space around it, as Unicode has it.
    package var trimmedOfWhiteSpace: String {
        // Nearly every value of a gateway's message, and a token's are long: none is copied.
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
