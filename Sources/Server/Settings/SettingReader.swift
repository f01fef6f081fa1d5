package import PayrelayPrimitives

/// Reads settings one by one, by their declarations, and collects the errors, so that a failed start reports all
/// of them.
public struct SettingReader: Sendable {
    package let sources: ConfigurationSources
    package private(set) var errors: [SettingError]

    package init(_ sources: ConfigurationSources) {
        self.sources = sources
        errors = sources.errors
    }

    /// Returns the text of a setting; `nil` if it is not set.
    package func text(_ setting: Setting) -> String? {
        sources.value(setting)?.text
    }

    /// Returns the value of a setting. If the setting is not set or is invalid, returns the default.
    ///
    /// - Parameters:
    ///   - requirement: the requirement on the value, if it is stricter than the declaration.
    ///   - parse: returns the value for a text, or `nil` if the text is invalid. It must accept the default.
    package mutating func value<Value>(
        _ setting: Setting, requirement: String? = nil, _ parse: (String) -> Value?
    ) -> Value {
        if let value = optional(setting, requirement: requirement, parse) { return value }
        guard let value = parse(defaultText(of: setting)) else {
            preconditionFailure("the default of \(setting.key) is none of its values")
        }
        return value
    }

    /// Returns the value of a setting without a default; `nil` if it is not set or is invalid.
    package mutating func optional<Value>(
        _ setting: Setting, requirement: String? = nil, _ parse: (String) -> Value?
    ) -> Value? {
        guard let text = text(setting) else { return nil }
        if setting.kind.admits(text), let value = parse(text) { return value }
        fail(setting, "must be \(requirement ?? setting.kind.requirement)")
        return nil
    }

    package mutating func number(_ setting: Setting) -> Int {
        value(setting) { Int($0) }
    }

    package mutating func seconds(_ setting: Setting) -> Duration {
        .seconds(number(setting))
    }

    /// Returns the value of a setting whose kind is a choice.
    package mutating func choice<Choice: RawRepresentable<String>>(_ setting: Setting) -> Choice {
        value(setting) { Choice(rawValue: $0) }
    }

    /// Returns the items of a list; an empty array if the setting is not set.
    package func list(_ setting: Setting) -> [String] {
        text(setting).map(SettingKind.items) ?? []
    }

    /// Returns the text of a setting without a default; an empty text if it is missing, which is an error.
    package mutating func required(_ setting: Setting) -> String {
        if let text = text(setting) { return text }
        fail(setting, "is missing")
        return ""
    }

    /// Returns a secret, from the setting itself or from the file that `…_FILE` names. It is an error if both are
    /// set, because one of them is stale.
    ///
    /// - Returns: an empty secret if it is missing or cannot be read.
    package mutating func secret(_ setting: Setting) -> Secret {
        switch (text(setting), secretPath(setting)) {
        case (let text?, nil): return Secret(text)
        case (nil, let path?): return secret(inFile: path, setting)
        case (nil, nil):
            if case .value(let text) = setting.standard { return Secret(text) }
            fail(setting, "is missing (or \(setting.file.name))")
        case (_?, _?): fail(setting, "and \(setting.file.name) are both set", advice: "Leave one of them out.")
        }
        return Secret("")
    }

    /// Returns a secret that is set; `nil` if it cannot be read, which is an error.
    package mutating func readable(_ setting: Setting) -> Secret? {
        let known = errors.count
        let text = secret(setting)
        return errors.count == known ? text : nil
    }

    /// Whether a setting is set to a value other than its default.
    package func isChanged(_ setting: Setting) -> Bool {
        text(setting).map { $0 != defaultText(of: setting) } ?? false
    }

    /// Whether a secret is set, directly or by its file.
    package func isSet(_ setting: Setting) -> Bool {
        text(setting) != nil || secretPath(setting) != nil
    }

    private func secretPath(_ setting: Setting) -> String? {
        sources.value(setting.file, evenEmpty: true)?.text
    }

    /// Returns the text of a file without its final line break.
    ///
    /// An empty file is an error, because it must not be mistaken for a setting that is not set.
    private mutating func secret(inFile path: String, _ setting: Setting) -> Secret {
        guard !path.isEmpty else {
            fail(setting.file, "names no file", advice: "Name a file, or remove it: an empty path is an error.")
            return Secret("")
        }
        do throws(UnreadableFile) {
            let text = try String(ofFile: path)
            if !text.trimmed.isEmpty { return Secret(String(text.withoutLineBreakAtEnd)) }
            fail(setting.file, "is empty: \(path)")
        } catch {
            fail(setting.file, "cannot be read: \(path): \(error)")
        }
        return Secret("")
    }

    /// Returns the text that is used if the setting is not set.
    package func defaultText(of setting: Setting) -> String {
        switch setting.standard {
        case .value(let text): text
        case .sum(let others, let number):
            String((used(others).map(number(orDefaultOf:)).max() ?? 0) + number)
        case .required, .none: ""
        }
    }

    /// Returns the settings of those gateways that have an account; all settings if no gateway has one.
    private func used(_ settings: [Setting]) -> [Setting] {
        let sections = sources.catalog.accounts.filter(hasAccount).map(\.section)
        let used = settings.filter { sections.contains(String($0.key.cut(at: ".").before)) }
        return used.isEmpty ? settings : used
    }

    private func number(orDefaultOf setting: Setting) -> Int {
        text(setting).flatMap { setting.kind.admits($0) ? Int($0) : nil } ?? Int(defaultText(of: setting)) ?? 0
    }

    /// Records an error of a setting.
    ///
    /// - Parameter problem: the rest of the sentence after the setting's name, such as "must be …".
    package mutating func fail(_ setting: Setting, _ problem: String, advice: String? = nil) {
        errors.append(SettingError(setting, sources, problem, advice: advice))
    }

    package mutating func add(_ further: [SettingError]) {
        errors += further
    }
}

extension SettingError {
    /// - Parameter sources: the sources that the setting was read from.
    package init(_ setting: Setting, _ sources: ConfigurationSources, _ problem: String, advice: String? = nil) {
        let source = sources.source(of: setting)
        let isInFile = if case .file = source { true } else { false }
        self.init(
            name: isInFile ? setting.key : setting.name, source: source, problem: problem,
            advice: advice ?? setting.advice)
    }
}

extension Setting {
    /// The recommended correction of an error in the setting.
    package var advice: String {
        if standard == .required {
            "\(summary) Set \(environmentName.map { "\($0), or \(key) in the file" } ?? key)."
        } else {
            "\(summary) Set it to \(kind.requirement), or leave it out (\(standard.words))."
        }
    }
}
