public import PayrelayPrimitives

/// The JSON Schema (draft 2020-12) of the configuration file. Settings that can also come from the environment
/// are not required.
public enum ConfigurationSchema {
    public static func json(of catalog: SettingCatalog) -> JSON {
        var root = Section()
        for setting in catalog.all { root.add(setting, at: setting.path) }
        for accounts in catalog.accounts {
            var account = Section()
            for setting in accounts.ofEach { account.add(setting, at: setting.path.suffix(1)) }
            root.sections[accounts.section, default: Section()].properties["accounts"] = [
                "description": .string(
                    "Several \(accounts.title) accounts, by your names for them; not from the environment."),
                "type": ["object", "null"], "propertyNames": ["pattern": "^[^.]+$"],
                "additionalProperties": account.json,
            ]
        }
        var members = JSONObject([
            ("$schema", "https://json-schema.org/draft/2020-12/schema"), ("title", "payrelay configuration"),
        ])
        for member in root.json.objectValue?.members ?? [] { members[member.name] = member.value }
        return .object(members)
    }

    /// The keys below one key of the file.
    private struct Section {
        var properties = JSONObject()
        var sections: [String: Section] = [:]
        /// The keys of secrets. A secret and its file must not both be set.
        var secrets: [String] = []

        mutating func add(_ setting: Setting, at path: some Collection<String>) {
            guard let key = path.first else { return }
            guard path.count == 1 else {
                if properties[key] == nil { properties[key] = .null }
                return sections[key, default: Section()].add(setting, at: path.dropFirst())
            }
            properties[key] = setting.schema
            if setting.isSecret {
                properties[key + "_file"] = setting.file.schema
                secrets.append(key)
            }
        }

        var json: JSON {
            var all = properties
            for (key, section) in sections { all[key] = section.json }
            let type: JSON = ["object", "null"]
            var members = JSONObject([
                ("type", type), ("properties", .object(all)), ("additionalProperties", false),
            ])
            let pairs = secrets.map { (key) -> JSON in
                let both: JSON = [.string(key), .string(key + "_file")]
                return ["not": ["type": "object", "required": both]]
            }
            if !pairs.isEmpty { members["allOf"] = .array(pairs) }
            return .object(members)
        }
    }
}

extension Setting {
    fileprivate var path: [String] { key.parts(at: ".").map(String.init) }

    /// The schema of the setting's value. A null value is equivalent to leaving the setting out.
    fileprivate var schema: JSON {
        var members = JSONObject([
            ("description", .string(summary + (environmentName.map { " Environment: \($0)." } ?? "")))
        ])
        switch kind {
        case .number(let range, _):
            members["type"] = ["integer", "null"]
            members["minimum"] = JSON(range.lowerBound)
            members["maximum"] = JSON(range.upperBound)
        case .flag: members["type"] = ["boolean", "null"]
        case .choice(let words): members["enum"] = .array(words.map(JSON.string) + [.null])
        case .list(let items):
            members["type"] = ["array", "string", "null"]
            members["items"] = ["type": "string", "description": .string(items), "pattern": "^[^,]+$"]
        case .url:
            members["type"] = ["string", "null"]
            members["format"] = "uri"
            members["pattern"] = "^[Hh][Tt][Tt][Pp][Ss]?://"
        case .text(_, let pattern):
            members["type"] = ["string", "null"]
            members["pattern"] = pattern.map(JSON.string)
        case .secret, .file: members["type"] = ["string", "null"]
        }
        if case .value(let text) = standard { members["default"] = value(text) }
        return .object(members)
    }

    private func value(_ text: String) -> JSON {
        switch kind {
        case .number: .number(text)
        case .flag: .bool(text == "true")
        case .text, .secret, .choice, .list, .url, .file: .string(text)
        }
    }
}
