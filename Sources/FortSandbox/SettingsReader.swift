import FortAPI
import Primitives

/// Reads an object of settings member by member and notes everything that is wrong with it.
struct SettingsReader {
    private let object: JSONObject
    private let path: String
    private(set) var faults: [ValidationError] = []

    /// - Parameter path: of the object, with what leads to its members: `faults[2].`; empty for the whole.
    init(_ json: JSON, path: String = "", knowing names: Set<String>) {
        self.path = path
        object = json.objectValue ?? JSONObject()
        if json.objectValue == nil { note("", "must be an object") }
        for name in object.names where !names.contains(name) { note(name, "is not a setting here") }
    }

    func value(_ name: String) -> JSON? { object[name] == .null ? nil : object[name] }

    mutating func note(_ name: String, _ detail: String) {
        let field = name.isEmpty && path.hasSuffix(".") ? String(path.dropLast()) : path + name
        faults.append(ValidationError(field: field.isEmpty ? "the body" : field, detail: detail))
    }

    mutating func note(_ more: [ValidationError]) { faults += more }

    mutating func number(_ name: String, in range: ClosedRange<Double>, _ detail: String) -> Double? {
        guard let value = value(name) else { return nil }
        if case .number(let literal) = value, let number = Double(literal), range.contains(number) { return number }
        note(name, detail)
        return nil
    }

    mutating func whole<Number: FixedWidthInteger>(
        _ name: String, in range: ClosedRange<Number>, _ detail: String
    ) -> Number? {
        guard let value = value(name) else { return nil }
        if case .number(let literal) = value, let number = Number(literal), range.contains(number) { return number }
        note(name, detail)
        return nil
    }

    /// One of these, by its name.
    mutating func choice<Choice>(_ name: String, of choices: [Choice], named text: (Choice) -> String) -> Choice? {
        guard let value = value(name) else { return nil }
        if let choice = choices.first(where: { text($0) == value.stringValue }) { return choice }
        note(name, "must be one of \(choices.map(text).joined(separator: ", "))")
        return nil
    }
}

/// Settings that cannot be used, with every fault in them.
struct SettingsError: Error, Equatable {
    let faults: [ValidationError]

    var json: JSON {
        ["errors": .array(faults.map { ["field": .string($0.field), "detail": .string($0.detail)] })]
    }
}
