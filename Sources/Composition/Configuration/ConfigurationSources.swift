public import Configuration
import FoundationEssentials
import PaymentRelay
import Yams

/// Where settings come from: the environment first, then a YAML file. What is there and is no setting is a error: a
/// misspelt name must not pass for a default.
public struct ConfigurationSources: Sendable {
    /// The environment before the file; keys as ``Setting`` has them.
    public let reader: ConfigReader
    /// Names that are no settings.
    let unknown: [String]
    /// The merchant's names of the accounts that the file lists under `fort.accounts`.
    let accountNames: [String]

    /// - Parameters:
    ///   - environment: of the process; only names that begin with `PAYRELAY_` are looked at.
    ///   - file: the path of a YAML file whose nested keys are the settings' keys.
    /// - Throws: ``ConfigurationError`` where the file cannot be read.
    public init(environment: [String: String], file: String? = nil) throws(ConfigurationError) {
        let own = environment.filter { $0.key.hasPrefix("PAYRELAY_") }
        let inFile = try file.map { path throws(ConfigurationError) in try Self.values(ofFile: path) } ?? [:]
        let keys = Setting.allCases.flatMap { $0.isSecret ? [$0.rawValue, $0.fileKey] : [$0.rawValue] }
        let names = Set(
            Setting.allCases.flatMap { setting in
                setting.isSecret
                    ? [setting.environmentName, setting.environmentName + "_FILE"] : [setting.environmentName]
            })
        unknown =
            own.keys.filter { !names.contains($0) && !FailPoint.isSetting($0) }.sorted()
            + inFile.keys.filter { !keys.contains($0) && !AccountKey.isOne($0) }.sorted()
        accountNames = Set(inFile.keys.compactMap { AccountKey($0)?.name }).sorted()
        reader = ConfigReader(providers: [
            EnvironmentVariablesProvider(environmentVariables: own).prefixKeys(with: "payrelay"),
            InMemoryProvider(
                name: "file",
                values: Dictionary(
                    uniqueKeysWithValues: inFile.map { key, text in
                        (AbsoluteConfigKey(ConfigKey(key)), ConfigValue(.string(text), isSecret: false))
                    })),
        ])
    }

    /// The scalars of a YAML file as they are written, by their dotted paths.
    private static func values(ofFile path: String) throws(ConfigurationError) -> [String: String] {
        do {
            let text = try String(ofFile: path)
            var values: [String: String] = [:]
            if let root = try Yams.compose(yaml: text) { try collect(root, at: [], into: &values) }
            return values
        } catch let errors as ConfigurationError {
            throw errors
        } catch {
            throw ConfigurationError(errors: ["\(path) cannot be read: \(error)"])
        }
    }

    private static func collect(_ node: Node, at path: [String], into values: inout [String: String]) throws {
        switch node {
        case .scalar(let scalar): values[path.joined(separator: ".")] = scalar.string
        case .mapping(let mapping):
            for (key, value) in mapping { try collect(value, at: path + [key.string ?? "?"], into: &values) }
        case .sequence, .alias:
            throw ConfigurationError(errors: ["\(path.joined(separator: ".")) must be a single value"])
        }
    }
}
