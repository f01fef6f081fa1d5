/// Why bytes are not the JSON that was asked for.
public struct JSONError: Error, Equatable, CustomStringConvertible {
    /// The kind of fault.
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
    /// Where the fault was found, in bytes from the start.
    public let offset: Int

    public var description: String {
        let what =
            switch reason {
            case .unexpectedEnd: "the text ends too early"
            case .unexpectedByte(let byte): "unexpected byte 0x\(String(byte, radix: 16))"
            case .trailingBytes: "something follows the value"
            case .tooDeep(let limit): "nested deeper than \(limit)"
            case .duplicateName(let name): "the name \"\(name.prefix(64))\" stands twice in one object"
            case .invalidUTF8: "a string is not UTF-8"
            case .invalidEscape: "a string has an invalid escape"
            case .invalidNumber: "a number is malformed"
            case .controlCharacterInString: "a string has a control character that is not escaped"
            }
        return "\(what) (at byte \(offset))"
    }
}
