/// An error of one setting, of one name that is no setting, or of the file.
public struct SettingError: Sendable, Equatable, CustomStringConvertible {
    /// The name as it was written: `PAYRELAY_HTTP_PORT` in the environment, `http.port` in the file.
    public let name: String
    /// The source of the value, if any.
    public let source: SettingSource?
    /// The rest of the sentence after the name: "must be …". No value is in it.
    public let problem: String
    /// The recommended correction.
    public let advice: String

    package init(name: String, source: SettingSource?, problem: String, advice: String) {
        self.name = name
        self.source = source
        self.problem = problem
        self.advice = advice
    }

    /// "PAYRELAY_HTTP_PORT must be …", "http.port (payrelay.yaml, line 3) must be …".
    public var description: String {
        switch source {
        case .file(let path, let line): "\(name) (\(path), line \(line)) \(problem)"
        case .environment, .standard, nil: "\(name) \(problem)"
        }
    }
}

/// The source of a setting's value.
public enum SettingSource: Sendable, Equatable, CustomStringConvertible {
    /// The variable's name.
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

/// All errors of the configuration together.
public struct ConfigurationError: Error, Equatable, CustomStringConvertible {
    /// Never empty.
    public let errors: [SettingError]

    package init(errors: [SettingError]) {
        self.errors = errors
    }

    public var description: String {
        (["the configuration cannot be used:"] + errors.map { "  - \($0)" }).joined(separator: "\n")
    }

    /// In one line, for the log.
    package var line: String { errors.map(\.description).joined(separator: "; ") }
}
