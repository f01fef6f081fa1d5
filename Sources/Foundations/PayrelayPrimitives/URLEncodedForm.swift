/// A body of `application/x-www-form-urlencoded` (WHATWG URL, 5), parsed strictly. A body that a serializer
/// cannot have written is rejected, because a signature is about to be computed over it.
public struct URLEncodedForm: Sendable {
    /// The parameters in the order of the body. Every value is a string.
    public let parameters: JSONObject

    /// - Throws: ``URLEncodedFormError`` if the body is malformed.
    public init(parsing body: [UInt8], parameterLimit: Int) throws(URLEncodedFormError) {
        var parameters: [(String, JSON)] = []
        var names: Set<String> = []
        if !body.isEmpty {
            for pair in body.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false) {
                guard parameters.count < parameterLimit else { throw .tooManyParameters(limit: parameterLimit) }
                guard let equals = pair.firstIndex(of: UInt8(ascii: "=")), equals > pair.startIndex else {
                    throw .notAPair
                }
                let name = try URLEncodedForm.decoded(pair[..<equals])
                guard names.insert(name).inserted else { throw .duplicateName(name) }
                parameters.append((name, .string(try URLEncodedForm.decoded(pair[(equals + 1)...]))))
            }
        }
        self.parameters = JSONObject(parameters)
    }

    /// Returns the body that a serializer writes for the parameters. Values that are not scalars are left out.
    package static func encoded(_ parameters: JSONObject) -> [UInt8] {
        var body: [UInt8] = []
        for member in parameters.members {
            guard let text = member.value.scalarText else { continue }
            if !body.isEmpty { body.append(UInt8(ascii: "&")) }
            body += "\(encoded(member.name))=\(encoded(text))".utf8
        }
        return body
    }

    private static func encoded(_ text: String) -> String {
        PercentEncoding.encoded(text, keeping: "*-._ ").replacingEach(" ", with: "+")
    }

    private static func decoded(_ bytes: ArraySlice<UInt8>) throws(URLEncodedFormError) -> String {
        let spaced = bytes.lazy.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 }
        guard let decoded = PercentEncoding.decoded(spaced) else { throw .invalidEscape }
        // A serializer escapes every other byte, including a second "=".
        if let byte = bytes.first(where: { $0 == UInt8(ascii: "=") || $0 <= 0x20 || $0 >= 0x7F }) {
            throw .unescaped(byte)
        }
        guard let text = String(validating: decoded, as: UTF8.self) else { throw .invalidUTF8 }
        return text
    }
}

/// Why a body is not a ``URLEncodedForm``.
public enum URLEncodedFormError: Error, Hashable, Sendable, CustomStringConvertible {
    case tooManyParameters(limit: Int)
    /// The text between two `&` is not a name with an `=`.
    case notAPair
    case duplicateName(String)
    /// A `%` is not followed by two hex digits.
    case invalidEscape
    /// The body has a byte that should have been escaped.
    case unescaped(UInt8)
    case invalidUTF8

    public var description: String {
        switch self {
        case .tooManyParameters(let limit): "it has more than \(limit) parameters"
        case .notAPair: "it is not made of name=value pairs"
        case .duplicateName(let name): "the name \"\(name.beginning(64))\" occurs twice"
        case .invalidEscape: "a % is not followed by two hex digits"
        case .unescaped(let byte): "the byte 0x\(String(byte, radix: 16)) is not escaped"
        case .invalidUTF8: "a name or a value is not UTF-8"
        }
    }
}
