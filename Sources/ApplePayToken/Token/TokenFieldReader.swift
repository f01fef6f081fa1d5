import Primitives

/// Reads the fields of one object and collects what is wrong with them, so that all faults are told at once.
struct TokenFieldReader {
    /// Longer texts are refused before they are decoded, in characters.
    static let base64Limit = 64 * 1024
    static let hexLimit = 128
    static let textLimit = 256

    private(set) var faults: [ValidationError] = []

    mutating func fault(_ field: String, _ detail: String) {
        faults.append(.init(field: field, detail: detail))
    }

    /// A text; nil where it is absent or null. A required text that is absent is a fault.
    mutating func text(_ json: JSON?, _ field: String, limit: Int = textLimit, required: Bool = false) -> String? {
        switch json {
        case nil, .null?:
            if required { fault(field, "is missing") }
            return nil
        case .string(let text)?:
            guard !required || !text.isEmpty else {
                fault(field, "is empty")
                return nil
            }
            guard text.utf8.count <= limit else {
                fault(field, "is longer than \(limit) characters")
                return nil
            }
            return text
        case let other?:
            fault(field, "must be a string, not \(other.kind)")
            return nil
        }
    }

    mutating func base64(
        _ json: JSON?, _ field: String, required: Bool = true, byteCount: Int? = nil
    ) -> Base64Text? {
        decode(json, field, limit: Self.base64Limit, required: required, byteCount: byteCount) {
            (text) throws(TextEncodingError) in
            let value = try Base64Text(text)
            return (value, value.bytes.count)
        }
    }

    mutating func hex(_ json: JSON?, _ field: String, required: Bool = true, byteCount: Int? = nil) -> HexText? {
        decode(json, field, limit: Self.hexLimit, required: required, byteCount: byteCount) {
            (text) throws(TextEncodingError) in
            let value = try HexText(text)
            return (value, value.bytes.count)
        }
    }

    private mutating func decode<Value>(
        _ json: JSON?, _ field: String, limit: Int, required: Bool, byteCount: Int?,
        _ decoder: (String) throws(TextEncodingError) -> (Value, Int)
    ) -> Value? {
        guard let text = text(json, field, limit: limit, required: required) else { return nil }
        do throws(TextEncodingError) {
            let (value, count) = try decoder(text)
            guard count > 0 else {
                fault(field, "is empty")
                return nil
            }
            guard byteCount == nil || byteCount == count else {
                fault(field, "has \(count) bytes; a SHA-256 has \(byteCount ?? count)")
                return nil
            }
            return value
        } catch {
            fault(field, error.description)
            return nil
        }
    }
}
