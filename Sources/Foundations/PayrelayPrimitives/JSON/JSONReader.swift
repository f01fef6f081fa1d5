extension JSON {
    /// The default limit for the nesting of arrays and objects. FORT's deepest message has three levels.
    public static let defaultDepthLimit = 16

    /// Parses a JSON text (RFC 8259) in UTF-8. Only white space may surround the value.
    ///
    /// - Throws: ``JSONError`` with the offset of the error.
    public init(parsing bytes: [UInt8], depthLimit: Int = defaultDepthLimit) throws(JSONError) {
        var reader = JSONReader(bytes: bytes, depthLimit: depthLimit)
        self = try reader.readDocument()
    }

    /// Parses a JSON text.
    ///
    /// - Throws: ``JSONError`` with the offset of the error.
    public init(parsing text: String, depthLimit: Int = defaultDepthLimit) throws(JSONError) {
        try self.init(parsing: Array(text.utf8), depthLimit: depthLimit)
    }
}

/// A recursive-descent parser. `depthLimit` bounds its recursion.
struct JSONReader {
    private let bytes: [UInt8]
    private let depthLimit: Int
    private var position = 0
    private var depth = 0

    init(bytes: [UInt8], depthLimit: Int) {
        self.bytes = bytes
        self.depthLimit = depthLimit
    }

    mutating func readDocument() throws(JSONError) -> JSON {
        let value = try readValue()
        skipWhiteSpace()
        guard position == bytes.count else { throw error(.trailingBytes) }
        return value
    }

    private mutating func readValue() throws(JSONError) -> JSON {
        skipWhiteSpace()
        switch try peek() {
        case UInt8(ascii: "{"): return .object(try readObject())
        case UInt8(ascii: "["): return .array(try readArray())
        case UInt8(ascii: "\""): return .string(try readString())
        case UInt8(ascii: "t"): return try readWord("true", as: .bool(true))
        case UInt8(ascii: "f"): return try readWord("false", as: .bool(false))
        case UInt8(ascii: "n"): return try readWord("null", as: .null)
        default: return .number(try readNumber())
        }
    }

    private mutating func readObject() throws(JSONError) -> JSONObject {
        try enter()
        if try nextCloses(UInt8(ascii: "}")) { return JSONObject() }
        var members: [JSONObject.Member] = []
        members.reserveCapacity(8)
        var names = ManyNames()
        repeat {
            skipWhiteSpace()
            guard try peek() == UInt8(ascii: "\"") else { throw error(.unexpectedByte(bytes[position])) }
            let start = position
            let name = try readString()
            guard names.insert(name, after: members) else {
                throw JSONError(reason: .duplicateName(name), offset: start)
            }
            skipWhiteSpace()
            try expect(UInt8(ascii: ":"))
            members.append(JSONObject.Member(name: name, value: try readValue()))
        } while try anotherFollows(orCloses: UInt8(ascii: "}"))
        return JSONObject(distinct: members)
    }

    private mutating func readArray() throws(JSONError) -> [JSON] {
        try enter()
        var elements: [JSON] = []
        if try nextCloses(UInt8(ascii: "]")) { return elements }
        repeat {
            elements.append(try readValue())
        } while try anotherFollows(orCloses: UInt8(ascii: "]"))
        return elements
    }

    // MARK: Brackets and commas

    /// Skips an opening bracket and increases the depth.
    private mutating func enter() throws(JSONError) {
        guard depth < depthLimit else { throw error(.tooDeep(limit: depthLimit)) }
        depth += 1
        position += 1
    }

    private mutating func nextCloses(_ bracket: UInt8) throws(JSONError) -> Bool {
        skipWhiteSpace()
        guard try peek() == bracket else { return false }
        depth -= 1
        position += 1
        return true
    }

    private mutating func anotherFollows(orCloses bracket: UInt8) throws(JSONError) -> Bool {
        if try nextCloses(bracket) { return false }
        try expect(UInt8(ascii: ","))
        return true
    }

    // MARK: Scalars

    private mutating func readString() throws(JSONError) -> String {
        position += 1
        let start = position
        // The only loop that looks at every byte of a token. It nearly always ends at the closing quote.
        position = bytes.withUnsafeBufferPointer { $0.firstPlace(from: start) { $0.mustBeEscaped | $0.beyondASCII } }
        let isASCII = !nextIsBeyondASCII
        if !isASCII {
            position = bytes.withUnsafeBufferPointer { $0.firstPlace(from: position, where: \.mustBeEscaped) }
        }
        switch try peek() {
        case UInt8(ascii: "\""):
            guard let text = text(from: start, isASCII: isASCII) else {
                throw JSONError(reason: .invalidUTF8, offset: start)
            }
            position += 1
            return text
        case UInt8(ascii: "\\"): return try readEscapedString(from: start)
        default: throw error(.controlCharacterInString)
        }
    }

    private var nextIsBeyondASCII: Bool { position < bytes.count && bytes[position] >= 0x80 }

    /// Returns the text from `start` to the current position; `nil` if it is not UTF-8. ASCII is not validated
    /// again.
    private func text(from start: Int, isASCII: Bool) -> String? {
        bytes.withUnsafeBufferPointer { bytes in
            let text = UnsafeBufferPointer(rebasing: bytes[start..<position])
            return isASCII ? String(decoding: text, as: UTF8.self) : String(validating: text, as: UTF8.self)
        }
    }

    /// Reads the rest of a string that has an escape. This is the slow path; the bytes in `start..<position` have
    /// no escapes.
    private mutating func readEscapedString(from start: Int) throws(JSONError) -> String {
        var unescaped = Array(bytes[start..<position])
        while position < bytes.count {
            let byte = bytes[position]
            position += 1
            switch byte {
            case UInt8(ascii: "\""):
                guard let text = String(validating: unescaped, as: UTF8.self) else {
                    throw JSONError(reason: .invalidUTF8, offset: start)
                }
                return text
            case UInt8(ascii: "\\"):
                unescaped.append(contentsOf: UTF8.encode(try readEscape()) ?? UTF8.encodedReplacementCharacter)
            case 0..<0x20: throw JSONError(reason: .controlCharacterInString, offset: position - 1)
            default: unescaped.append(byte)
            }
        }
        throw error(.unexpectedEnd)
    }

    private mutating func readEscape() throws(JSONError) -> Unicode.Scalar {
        let letter = try peek()
        position += 1
        switch letter {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(letter)
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{c}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): return try readUnicodeEscape()
        default: throw JSONError(reason: .invalidEscape, offset: position - 1)
        }
    }

    /// Reads the four digits after `\u`. If they are the first half of a surrogate pair, reads the second half,
    /// too (RFC 8259, 7).
    private mutating func readUnicodeEscape() throws(JSONError) -> Unicode.Scalar {
        let start = position
        var code = UInt32(try readFourHexDigits())
        if (0xD800..<0xDC00).contains(code) {
            try expect(UInt8(ascii: "\\"))
            try expect(UInt8(ascii: "u"))
            let low = UInt32(try readFourHexDigits())
            guard (0xDC00..<0xE000).contains(low) else { throw JSONError(reason: .invalidEscape, offset: start) }
            code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
        }
        guard let scalar = Unicode.Scalar(code) else { throw JSONError(reason: .invalidEscape, offset: start) }
        return scalar
    }

    private mutating func readFourHexDigits() throws(JSONError) -> UInt16 {
        var code: UInt16 = 0
        for _ in 0..<4 {
            guard let digit = try peek().hexDigitValue else { throw error(.invalidEscape) }
            code = code << 4 | UInt16(digit)
            position += 1
        }
        return code
    }

    /// Reads a number (RFC 8259, 6): `-? (0 | [1-9][0-9]*) (. [0-9]+)? ([eE] [+-]? [0-9]+)?`
    private mutating func readNumber() throws(JSONError) -> String {
        let start = position
        if try peek() == UInt8(ascii: "-") { position += 1 }
        let whole = try readDigits(orError: position == start ? .unexpectedByte(bytes[position]) : .invalidNumber)
        guard bytes[whole.lowerBound] != UInt8(ascii: "0") || whole.count == 1 else { throw error(.invalidNumber) }
        if nextIs(UInt8(ascii: ".")) {
            position += 1
            _ = try readDigits(orError: .invalidNumber)
        }
        if nextIs(UInt8(ascii: "e")) || nextIs(UInt8(ascii: "E")) {
            position += 1
            if nextIs(UInt8(ascii: "+")) || nextIs(UInt8(ascii: "-")) { position += 1 }
            _ = try readDigits(orError: .invalidNumber)
        }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    private mutating func readDigits(orError reason: JSONError.Reason) throws(JSONError) -> Range<Int> {
        let start = position
        while position < bytes.count, bytes[position].isASCIIDigit { position += 1 }
        guard position > start else { throw error(reason) }
        return start..<position
    }

    private mutating func readWord(_ word: StaticString, as value: JSON) throws(JSONError) -> JSON {
        for expected in UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount) {
            try expect(expected)
        }
        return value
    }

    // MARK: Bytes

    private mutating func skipWhiteSpace() {
        while position < bytes.count, bytes[position] <= 0x20 {
            switch bytes[position] {
            case 0x20, 0x0A, 0x0D, 0x09: position += 1
            default: return
            }
        }
    }

    private func nextIs(_ byte: UInt8) -> Bool {
        position < bytes.count && bytes[position] == byte
    }

    private func peek() throws(JSONError) -> UInt8 {
        guard position < bytes.count else { throw error(.unexpectedEnd) }
        return bytes[position]
    }

    private mutating func expect(_ byte: UInt8) throws(JSONError) {
        guard try peek() == byte else { throw error(.unexpectedByte(bytes[position])) }
        position += 1
    }

    private func error(_ reason: JSONError.Reason) -> JSONError {
        JSONError(reason: reason, offset: position)
    }
}

/// The names in an object with many members, so that checking a hundred thousand names does not take quadratic
/// time. While there are few members, they are searched directly.
private struct ManyNames {
    private var names: Set<String> = []

    /// Adds a name. Returns false if one of the members already has the name.
    mutating func insert(_ name: String, after members: [JSONObject.Member]) -> Bool {
        // Most names differ in length, so their letters need not be compared.
        if members.count < 64 {
            return !members.contains { $0.name.utf8.count == name.utf8.count && $0.name.isExactly(name) }
        }
        if names.isEmpty { names = Set(members.map(\.name)) }
        return names.insert(name).inserted
    }
}
