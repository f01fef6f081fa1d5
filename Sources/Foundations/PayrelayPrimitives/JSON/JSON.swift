/// JSON that preserves how it was written: the order of members and the literals of numbers.
///
/// FORT's signature is computed over a message as it was written: nested members in the order sent, `10000` and
/// `10000.0` as different texts, and an eighteen-digit `fort_id` without rounding. Decoders that use dictionaries
/// and `Double` lose all three. The reader is strict (RFC 8259, no duplicate names, bounded depth), because its
/// input moves money.
public enum JSON: Hashable, Sendable {
    case null
    case bool(Bool)
    /// The number as it was written, such as `"10000"` or `"1e3"`. Two spellings of the same number are not
    /// equal.
    case number(String)
    case string(String)
    case array([JSON])
    case object(JSONObject)
}

extension JSON {
    /// Compares by bytes: two Unicode spellings of the same text are different.
    public static func == (one: JSON, other: JSON) -> Bool {
        switch (one, other) {
        case (.null, .null): true
        case (.bool(let one), .bool(let other)): one == other
        case (.number(let one), .number(let other)), (.string(let one), .string(let other)): one.isExactly(other)
        case (.array(let one), .array(let other)): one == other
        case (.object(let one), .object(let other)): one == other
        case (.null, _), (.bool, _), (.number, _), (.string, _), (.array, _), (.object, _): false
        }
    }
}

extension JSON {
    /// The text of a string; `nil` for any other kind.
    public var stringValue: String? {
        if case .string(let text) = self { text } else { nil }
    }

    /// The members of an object; `nil` for any other kind.
    public var objectValue: JSONObject? {
        if case .object(let object) = self { object } else { nil }
    }

    /// The elements of an array; `nil` for any other kind.
    public var arrayValue: [JSON]? {
        if case .array(let elements) = self { elements } else { nil }
    }

    /// The value of a member; `nil` if this is not an object or has no such member.
    public subscript(name: String) -> JSON? {
        objectValue?[name]
    }

    /// The name of the value's type, for messages, such as "a string" or "an object".
    public var kind: String {
        switch self {
        case .null: "null"
        case .bool: "a boolean"
        case .number: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }
}

extension JSON: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    public init(stringLiteral text: String) { self = .string(text) }
    public init(integerLiteral number: Int) { self = .number(String(number)) }
    public init(booleanLiteral truth: Bool) { self = .bool(truth) }
    public init(arrayLiteral elements: JSON...) { self = .array(elements) }
    public init(dictionaryLiteral members: (String, JSON)...) { self = .object(JSONObject(members)) }

    /// Creates a whole number.
    public init(_ number: some BinaryInteger) { self = .number(String(number)) }
}

/// Why bytes are not valid JSON.
public struct JSONError: Error, Equatable, CustomStringConvertible {
    /// The kind of error.
    public enum Reason: Equatable, Sendable {
        case unexpectedEnd
        case unexpectedByte(UInt8)
        case trailingBytes
        case tooDeep(limit: Int)
        case duplicateName(String)
        case invalidUTF8
        case invalidEscape
        case invalidNumber
        case controlCharacterInString
    }

    public let reason: Reason
    /// The offset of the error, in bytes from the start.
    public let offset: Int

    public var description: String {
        let what =
            switch reason {
            case .unexpectedEnd: "the text ends too early"
            case .unexpectedByte(let byte): "unexpected byte 0x\(String(byte, radix: 16))"
            case .trailingBytes: "something follows the value"
            case .tooDeep(let limit): "nested deeper than \(limit)"
            case .duplicateName(let name): "the name \"\(name.beginning(64))\" occurs twice in one object"
            case .invalidUTF8: "a string is not UTF-8"
            case .invalidEscape: "a string has an invalid escape"
            case .invalidNumber: "a number is malformed"
            case .controlCharacterInString: "a string has a control character that is not escaped"
            }
        return "\(what) (at byte \(offset))"
    }
}

extension JSON {
    /// The text of a string, a number or a boolean, as a form has it; `nil` for other kinds.
    package var scalarText: String? {
        switch self {
        case .string(let text): text
        case .number(let literal): literal
        case .bool(let truth): truth ? "true" : "false"
        case .null, .array, .object: nil
        }
    }
}
