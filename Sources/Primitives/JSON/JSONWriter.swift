extension JSON {
    /// This value as UTF-8 JSON without white space, members in their order, `/` and non-ASCII unescaped.
    public func encoded() -> [UInt8] {
        var bytes: [UInt8] = []
        // A log line or an answer: most are written without moving to a larger place.
        bytes.reserveCapacity(1_024)
        write(into: &bytes)
        return bytes
    }

    /// This value as JSON for a person to read: one member or element a line, two spaces a level.
    public func formatted() -> String {
        var bytes: [UInt8] = []
        write(into: &bytes, indentation: 0)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Appends this value as JSON.
    ///
    /// - Parameter indentation: the level to indent to, or nil to write without white space.
    public func write(into bytes: inout [UInt8], indentation: Int? = nil) {
        switch self {
        case .null: bytes.append(contentsOf: "null".utf8)
        case .bool(let truth): bytes.append(contentsOf: (truth ? "true" : "false").utf8)
        case .number(let literal): bytes.append(contentsOf: literal.utf8)
        case .string(let text): JSON.write(text, into: &bytes)
        case .array(let elements):
            JSON.write(
                elements, between: (UInt8(ascii: "["), UInt8(ascii: "]")), into: &bytes, indentation: indentation
            ) {
                $0.write(into: &$1, indentation: $2)
            }
        case .object(let object):
            JSON.write(
                object.members, between: (UInt8(ascii: "{"), UInt8(ascii: "}")), into: &bytes, indentation: indentation
            ) {
                JSON.write($0.name, into: &$1)
                $1.append(UInt8(ascii: ":"))
                if $2 != nil { $1.append(UInt8(ascii: " ")) }
                $0.value.write(into: &$1, indentation: $2)
            }
        }
    }

    private static func write<Item>(
        _ items: [Item], between brackets: (UInt8, UInt8), into bytes: inout [UInt8], indentation: Int?,
        item write: (Item, inout [UInt8], Int?) -> Void
    ) {
        let inner = indentation.map { $0 + 1 }
        bytes.append(brackets.0)
        for (place, item) in items.enumerated() {
            if place > 0 { bytes.append(UInt8(ascii: ",")) }
            breakLine(inner, in: &bytes)
            write(item, &bytes, inner)
        }
        if !items.isEmpty { breakLine(indentation, in: &bytes) }
        bytes.append(brackets.1)
    }

    private static func breakLine(_ indentation: Int?, in bytes: inout [UInt8]) {
        guard let indentation else { return }
        bytes.append(UInt8(ascii: "\n"))
        bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: 2 * indentation))
    }

    /// Appends a string with its quotes; only what RFC 8259, 7 demands is escaped.
    private static func write(_ text: String, into bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        text.withBytes { text in
            var written = 0
            while written < text.count {
                let next = text.firstPlace(from: written, where: \.mustBeEscaped)
                bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[written..<next]))
                if next < text.count { writeEscaped(text[next], into: &bytes) }
                written = next + 1
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private static func writeEscaped(_ byte: UInt8, into bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\\"))
        switch byte {
        case 0x0A: bytes.append(UInt8(ascii: "n"))
        case 0x0D: bytes.append(UInt8(ascii: "r"))
        case 0x09: bytes.append(UInt8(ascii: "t"))
        case 0..<0x20:
            let digits = String(byte, radix: 16)
            bytes.append(contentsOf: ("u00" + (digits.utf8.count == 1 ? "0" : "") + digits).utf8)
        default: bytes.append(byte)
        }
    }
}

extension EightBytes {
    /// Which end the plain text of a string: its quote, and what RFC 8259, 7 wants escaped.
    var mustBeEscaped: UInt64 {
        equal(to: UInt8(ascii: "\"")) | equal(to: UInt8(ascii: "\\")) | below(0x20)
    }
}

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
