import PayrelayPrimitives

/// Reads the fields of a dictionary by name, and collects their validation errors.
struct FortRequestFields {
    private var values: [String: String] = [:]
    private var errors: [ValidationError] = []
    private var known: Set<String> = []

    /// The maximum length of a value, in bytes of UTF-8. It is more than the longest token.
    private static let longestText = 16_384

    init(_ request: [AnyHashable: Any]) {
        for (key, value) in request {
            guard let name = key.base as? String else {
                errors.append(ValidationError(field: "request", detail: "has a key that is not a text"))
                continue
            }
            if let text = value as? String, text.utf8.count <= Self.longestText {
                values[name] = text
            } else {
                known.insert(name)
                refuse(Self.shown(name), "must be a text")
            }
        }
    }

    mutating func optional(_ name: String) -> String? {
        known.insert(name)
        return values[name].flatMap { $0.isEmpty ? nil : $0 }
    }

    mutating func required(_ name: String) -> String? {
        required(name, { $0 }, "")
    }

    mutating func required<Value>(_ name: String, _ read: (String) -> Value?, _ detail: String) -> Value? {
        guard let text = optional(name) else {
            if !errors.contains(where: { $0.field == name }) { refuse(name, "is required") }
            return nil
        }
        guard let value = read(text) else {
            refuse(name, detail)
            return nil
        }
        return value
    }

    mutating func refuse(_ name: String, _ detail: String) {
        errors.append(ValidationError(field: name, detail: detail))
    }

    mutating func finish() throws(ValidationErrors) {
        for name in values.keys where !known.contains(name) { refuse(Self.shown(name), "is not a field of FORT's") }
        try ValidationErrors.throwIfAny(errors.sorted { ($0.field, $0.detail) < ($1.field, $1.detail) })
    }

    /// Returns a key for messages and logs, without the text of a key that cannot be a field's name.
    private static func shown(_ name: String) -> String {
        let isName = (1...64).contains(name.utf8.count) && name.utf8.allSatisfy { (0x21...0x7E).contains($0) }
        return isName ? name : "a key that is not a field's name"
    }
}
