public import PayrelayPrimitives

/// Where settings come from: the environment first, then a YAML file. An unknown name is an error: a misspelt one must not pass
/// for a default.
public struct ConfigurationSources: Sendable, Redacted {
    /// Its variables that begin with `PAYRELAY_`.
    package let catalog: SettingCatalog
    private let environment: [String: String]
    private let file: ConfigurationFile?
    /// Names that are no settings, and values of the wrong shape.
    package let errors: [SettingError]

    /// The variable that names the file.
    public static let fileVariable = "PAYRELAY_CONFIG"

    /// - Parameters:
    ///   - catalog: every setting there is.
    ///   - environment: of the process; only names that begin with `PAYRELAY_` are looked at.
    ///   - path: of a YAML file whose nested keys are the settings' keys; nil for the one that `PAYRELAY_CONFIG` names, if it does.
    /// - Throws: ``ConfigurationError`` where the file cannot be read.
    public init(
        _ catalog: SettingCatalog, environment: [String: String], file path: String? = nil
    ) throws(ConfigurationError) {
        let own = environment.filter { $0.key.begins(with: "PAYRELAY_") }
        let named = own[Self.fileVariable].flatMap { $0.isEmpty ? nil : $0 }
        self.catalog = catalog
        self.environment = own
        file = try (path ?? named).map { path throws(ConfigurationError) in
            try ConfigurationFile(path: path, of: catalog)
        }
        errors = Self.unknown(in: own, catalog) + (file?.errors ?? [])
    }

    /// Sources in which nothing is set.
    package init(_ catalog: SettingCatalog) {
        (self.catalog, environment, file, errors) = (catalog, [:], nil, [])
    }

    private static func unknown(in environment: [String: String], _ catalog: SettingCatalog) -> [SettingError] {
        let names =
            catalog.all.flatMap { $0.isSecret ? [$0, $0.file] : [$0] }.compactMap(\.environmentName) + [fileVariable]
        let known = Set(names)
        return environment.keys.filter { !known.contains($0) && !catalog.isOtherVariable($0) }.sorted()
            .prefix(ConfigurationFile.errorsMax).map { name in
                SettingError(
                    name: NearestName.shown(name), source: .environment(NearestName.shown(name)),
                    problem: "is not a setting\(NearestName.advice(for: name, among: names))",
                    advice: "Every variable that begins with PAYRELAY_ must be one: docs/configuration.md lists them.")
            }
    }

    /// The names of the accounts that the file lists.
    func accountNames(of accounts: AccountSettings) -> [String] { file?.accountNames[accounts.section]?.sorted() ?? [] }

    /// It holds secrets.
    public var description: String { "configuration" }

    /// The path of the file, if there is one.
    public var filePath: String? { file?.path }

    /// Returns the text of a setting and its source; nil if not set. An empty value counts as not set: `docker compose`
    /// passes variables that its own environment lacks.
    ///
    /// - Parameter evenEmpty: for the path of a secret: without it a relay would start without the authentication that was meant.
    package func value(_ setting: Setting, evenEmpty: Bool = false) -> (text: String, source: SettingSource)? {
        if let name = setting.environmentName, let text = environment[name], evenEmpty || !text.isEmpty {
            return (text, .environment(name))
        }
        if let file, let value = file.values[setting.key], evenEmpty || !value.text.isEmpty {
            return (value.text, .file(path: file.path, line: value.line))
        }
        return nil
    }

    /// Where the value of a setting, or of the file that holds it, came from, if any: also an empty one.
    package func source(of setting: Setting) -> SettingSource? {
        (value(setting) ?? value(setting.isSecret ? setting.file : setting, evenEmpty: true))?.source
    }
}
