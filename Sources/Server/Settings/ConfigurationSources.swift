public import PayrelayPrimitives

/// The sources of the settings: first the environment, then a YAML file. An unknown name is an error, because a
/// misspelt name must not silently leave the default in use.
public struct ConfigurationSources: Sendable, Redacted {
    /// The settings and the variables that begin with `PAYRELAY_`.
    package let catalog: SettingCatalog
    private let environment: [String: String]
    private let file: ConfigurationFile?
    /// The errors for names that are not settings, and for values of the wrong type.
    package let errors: [SettingError]

    /// The environment variable with the path of the file.
    public static let fileVariable = "PAYRELAY_CONFIG"

    /// - Parameters:
    ///   - catalog: all settings.
    ///   - environment: the environment of the process. Only names that begin with `PAYRELAY_` are read.
    ///   - path: the path of a YAML file, whose nested keys are the keys of the settings. If it is `nil`, the
    ///     path in `PAYRELAY_CONFIG` is used, if any.
    /// - Throws: ``ConfigurationError`` if the file cannot be read.
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

    /// Creates sources in which nothing is set.
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

    /// Returns the names of the accounts that the file lists.
    func accountNames(of accounts: AccountSettings) -> [String] { file?.accountNames[accounts.section]?.sorted() ?? [] }

    /// A constant, because the sources contain secrets.
    public var description: String { "configuration" }

    /// The path of the file, if there is one.
    public var filePath: String? { file?.path }

    /// Returns the text of a setting and its source; `nil` if the setting is not set. An empty value counts as
    /// not set, because `docker compose` passes empty variables for those that its own environment lacks.
    ///
    /// - Parameter evenEmpty: whether an empty value counts as set. Used for the path of a secret: otherwise an
    ///   empty path would start the relay without the intended authentication.
    package func value(_ setting: Setting, evenEmpty: Bool = false) -> (text: String, source: SettingSource)? {
        if let name = setting.environmentName, let text = environment[name], evenEmpty || !text.isEmpty {
            return (text, .environment(name))
        }
        if let file, let value = file.values[setting.key], evenEmpty || !value.text.isEmpty {
            return (value.text, .file(path: file.path, line: value.line))
        }
        return nil
    }

    /// Returns the source of a setting's value or of the path of its secret file, even if that path is empty;
    /// `nil` if neither is set.
    package func source(of setting: Setting) -> SettingSource? {
        (value(setting) ?? value(setting.isSecret ? setting.file : setting, evenEmpty: true))?.source
    }
}
