extension JSON {
    /// Returns the value as UTF-8 JSON without white space, with members in their order and with `/` and
    /// non-ASCII characters unescaped.
    public func encoded() -> [UInt8] { encoded(by: JSONWriter()) }

    /// Returns the value as JSON that has only visible ASCII and spaces. Everything else is escaped (`\u` and
    /// four digits, in pairs beyond the BMP).
    public func encodedInASCII() -> [UInt8] { encoded(by: JSONWriter(isASCII: true)) }

    /// Returns the value as JSON for people: one member or element per line, indented by two spaces per level.
    public func formatted() -> String {
        String(decoding: encoded(by: JSONWriter(isIndented: true)), as: UTF8.self)
    }

    private func encoded(by writer: consuming JSONWriter) -> [UInt8] {
        writer.write(self)
        return writer.bytes
    }
}

/// Writes JSON values one after another.
package struct JSONWriter: ~Copyable {
    private var text: ByteWriter
    /// Whether all characters except visible ASCII and spaces are escaped.
    private let isASCII: Bool
    private let isIndented: Bool
    private var level = 0

    package init(isASCII: Bool = false, isIndented: Bool = false) {
        // Enough for most documents.
        text = ByteWriter(capacity: 1_024)
        self.isASCII = isASCII
        self.isIndented = isIndented
    }

    /// The JSON that was written, in UTF-8.
    package var bytes: [UInt8] { text.bytes }

    /// Writes a line feed.
    package mutating func endLine() { text.append(UInt8(ascii: "\n")) }

    package mutating func write(_ value: JSON) {
        switch value {
        case .null: text.append("null")
        case .bool(let truth): text.append(truth ? "true" : "false")
        case .number(let literal): text.append(literal)
        case .string(let text): write(text)
        case .array(let elements):
            open(UInt8(ascii: "["))
            for place in elements.indices {
                begin(place)
                write(elements[place])
            }
            close(UInt8(ascii: "]"), after: elements.count)
        case .object(let object):
            open(UInt8(ascii: "{"))
            for place in object.members.indices {
                begin(place)
                write(object.members[place])
            }
            close(UInt8(ascii: "}"), after: object.members.count)
        }
    }

    private mutating func write(_ member: JSONObject.Member) {
        write(member.name)
        text.append(UInt8(ascii: ":"))
        if isIndented { text.append(UInt8(ascii: " ")) }
        write(member.value)
    }

    private mutating func open(_ bracket: UInt8) {
        text.append(bracket)
        level += 1
    }

    private mutating func begin(_ place: Int) {
        if place > 0 { text.append(UInt8(ascii: ",")) }
        breakLine()
    }

    private mutating func close(_ bracket: UInt8, after count: Int) {
        level -= 1
        if count > 0 { breakLine() }
        text.append(bracket)
    }

    private mutating func breakLine() {
        guard isIndented else { return }
        text.append(UInt8(ascii: "\n"))
        for _ in 0..<2 * level { text.append(UInt8(ascii: " ")) }
    }

    /// Writes a string with its quotes. Escapes only what RFC 8259, 7 requires, or everything that is not visible
    /// ASCII.
    private mutating func write(_ string: String) {
        string.withBytes { string in
            text.append(UInt8(ascii: "\""))
            var (written, next) = (0, firstEscape(in: string, from: 0))
            while next < string.count {
                text.append(UnsafeBufferPointer(rebasing: string[written..<next]))
                written = string[next] < 0x80 ? next + 1 : string[next...].firstIndex { $0 < 0x80 } ?? string.count
                text.appendEscaped(string[next..<written])
                next = firstEscape(in: string, from: written)
            }
            text.append(UnsafeBufferPointer(rebasing: string[written...]))
            text.append(UInt8(ascii: "\""))
        }
    }

    private func firstEscape(in string: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
        isASCII
            ? string.firstPlace(from: start, where: \.mustBeEscapedInASCII)
            : string.firstPlace(from: start, where: \.mustBeEscaped)
    }
}

extension EightBytes {
    /// Marks the bytes that end the plain text of a string: the quote, and the bytes that RFC 8259, 7 requires to
    /// be escaped.
    var mustBeEscaped: UInt64 {
        equal(to: UInt8(ascii: "\"")) | equal(to: UInt8(ascii: "\\")) | below(0x20)
    }

    /// The same, and all bytes that are not visible ASCII.
    var mustBeEscapedInASCII: UInt64 { mustBeEscaped | equal(to: 0x7F) | beyondASCII }
}
