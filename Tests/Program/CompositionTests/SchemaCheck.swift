import PayrelayPrimitives
import Yams

/// A check of JSON against a JSON Schema that has only the keywords of the configuration's schema. Any other keyword is an
/// error.
struct SchemaCheck {
    private let schema: JSON

    init(_ schema: JSON) {
        self.schema = schema
    }

    func errors(in value: JSON) -> [String] {
        errors(in: value, by: schema, at: "$")
    }

    private func errors(in value: JSON, by schema: JSON, at place: String) -> [String] {
        var found: [String] = []
        for member in schema.objectValue?.members ?? [] {
            switch member.name {
            case "$schema", "title", "description", "default", "format": break
            case "type":
                let types = member.value.arrayValue ?? [member.value]
                if !types.contains(where: { isOf($0.stringValue ?? "", value) }) { found.append("\(place): type") }
            case "enum": if member.value.arrayValue?.contains(value) != true { found.append("\(place): enum") }
            case "minimum", "maximum":
                guard let number = int(value), let limit = int(member.value) else { break }
                if member.name == "minimum" ? number < limit : number > limit { found.append("\(place): range") }
            case "pattern":
                guard let text = value.stringValue, let pattern = try? Regex(member.value.stringValue ?? "") else {
                    break
                }
                if text.firstMatch(of: pattern) == nil { found.append("\(place): pattern") }
            case "properties":
                for (name, part) in members(member.value) {
                    if let own = value[name] { found += errors(in: own, by: part, at: "\(place).\(name)") }
                }
            case "additionalProperties":
                let known = schema["properties"]?.objectValue?.names ?? []
                for (name, own) in members(value) where !known.contains(name) {
                    found +=
                        member.value == false
                        ? ["\(place).\(name): unknown"] : errors(in: own, by: member.value, at: "\(place).\(name)")
                }
            case "propertyNames":
                for (name, _) in members(value) { found += errors(in: .string(name), by: member.value, at: place) }
            case "items":
                for item in value.arrayValue ?? [] { found += errors(in: item, by: member.value, at: "\(place)[]") }
            case "required":
                guard value.objectValue != nil else { break }
                for name in member.value.arrayValue ?? [] where value[name.stringValue ?? ""] == nil {
                    found.append("\(place): required")
                }
            case "allOf":
                for part in member.value.arrayValue ?? [] { found += errors(in: value, by: part, at: place) }
            case "not": if errors(in: value, by: member.value, at: place).isEmpty { found.append("\(place): not") }
            default: found.append("\(member.name): unknown keyword")
            }
        }
        return found
    }

    private func isOf(_ type: String, _ value: JSON) -> Bool {
        switch (type, value) {
        case ("null", .null), ("boolean", .bool), ("string", .string), ("array", .array), ("object", .object): true
        case ("integer", _): int(value) != nil
        default: false
        }
    }

    private func int(_ value: JSON) -> Int? {
        if case .number(let text) = value { Int(text) } else { nil }
    }

    private func members(_ value: JSON) -> [(String, JSON)] {
        value.objectValue?.members.map { ($0.name, $0.value) } ?? []
    }
}

extension JSON {
    /// Reads YAML by its core schema.
    init(yaml text: String) throws {
        self = try Yams.compose(yaml: text).map(Self.init) ?? .null
    }

    private init(_ node: Node) {
        switch node {
        case .mapping(let mapping): self = .object(JSONObject(mapping.map { ($0.key.string ?? "", JSON($0.value)) }))
        case .sequence(let sequence): self = .array(sequence.map { JSON($0) })
        case .scalar(let scalar) where scalar.style == .plain:
            switch scalar.string {
            case "", "~", "null": self = .null
            case "true", "false": self = .bool(scalar.string == "true")
            case let text: self = Int(text).map { JSON($0) } ?? .string(text)
            }
        case .scalar(let scalar): self = .string(scalar.string)
        case .alias: self = .null
        }
    }
}
