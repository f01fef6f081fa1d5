/// An error in a setting, in a name that is not a setting, or in the file.
public struct SettingError: Sendable, Equatable, CustomStringConvertible {
    /// The name as it was written: `PAYRELAY_HTTP_PORT` in the environment, `http.port` in the file.
    public let name: String
    /// The source of the value, if any.
    public let source: SettingSource?
    /// The rest of the sentence after the name, such as "must be …". It never contains the value.
    public let problem: String
    /// The recommended correction.
    public let advice: String

    package init(name: String, source: SettingSource?, problem: String, advice: String) {
        self.name = name
        self.source = source
        self.problem = problem
        self.advice = advice
    }

    /// The error as a sentence, such as "PAYRELAY_HTTP_PORT must be …" or "http.port (payrelay.yaml, line 3) must
    /// be …".
    public var description: String {
        switch source {
        case .file(let path, let line): "\(name) (\(path), line \(line)) \(problem)"
        case .environment, .standard, nil: "\(name) \(problem)"
        }
    }
}

/// The source of a setting's value.
public enum SettingSource: Sendable, Equatable, CustomStringConvertible {
    /// The name of the environment variable.
    case environment(String)
    case file(path: String, line: Int)
    case standard

    public var description: String {
        switch self {
        case .environment(let name): "environment: \(name)"
        case .file(let path, let line): "\(path), line \(line)"
        case .standard: "default"
        }
    }
}

/// All errors of the configuration.
public struct ConfigurationError: Error, Equatable, CustomStringConvertible {
    /// The errors; never empty.
    public let errors: [SettingError]

    package init(errors: [SettingError]) {
        self.errors = errors
    }

    public var description: String {
        (["the configuration cannot be used:"] + errors.map { "  - \($0)" }).joined(separator: "\n")
    }

    /// The errors in one line, for the log.
    package var line: String { errors.map(\.description).joined(separator: "; ") }
}
