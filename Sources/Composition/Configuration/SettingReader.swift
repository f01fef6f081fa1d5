import Configuration
import FortAPI
import FoundationEssentials
import PayrelayPrimitives

/// Reads settings one by one and collects their errors, so that a failed start names all of them.
struct SettingReader {
    private let reader: ConfigReader
    private(set) var errors: [String]
    /// See ``ConfigurationSources/accountNames``.
    let accountNames: [String]

    init(_ sources: ConfigurationSources) {
        reader = sources.reader
        accountNames = sources.accountNames
        errors = sources.unknown.map { "\($0) is not a setting" }
    }

    /// The text of a setting, made into a value; the default where it is not set.
    ///
    /// - Parameters:
    ///   - expected: what the value must be, for the error: "a number from 1 to 65535".
    ///   - parse: nil where the text is not that.
    mutating func value<Value>(
        _ setting: Setting, default standard: Value, expected: String, _ parse: (String) -> Value?
    ) -> Value {
        guard let text = text(setting) else { return standard }
        guard let value = parse(text) else {
            errors.append("\(setting.environmentName) must be \(expected)")
            return standard
        }
        return value
    }

    mutating func number(_ setting: Setting, default standard: Int, in range: ClosedRange<Int>) -> Int {
        value(setting, default: standard, expected: "a number from \(range.lowerBound) to \(range.upperBound)") {
            text in
            Int(text).flatMap { range.contains($0) ? $0 : nil }
        }
    }

    /// The text of a setting that has no default.
    mutating func required(_ setting: Setting) -> String {
        if let text = text(setting) { return text }
        errors.append("\(setting.environmentName) is missing")
        return ""
    }

    /// A secret, from the setting itself or from the file that `…_FILE` names. Both at once is a error: one of them is stale.
    mutating func secret(_ setting: Setting, default standard: String? = nil) -> Secret {
        let path = reader.string(forKey: ConfigKey(setting.fileKey))
        let (name, fileName) = (setting.environmentName, setting.environmentName + "_FILE")
        return secret(text(setting), named: name, orInFile: path, named: fileName, default: standard)
    }

    /// Whether a secret is set, by itself or through its file, even to nothing.
    func isSet(_ setting: Setting) -> Bool {
        text(setting) != nil || reader.string(forKey: ConfigKey(setting.fileKey)) != nil
    }

    private mutating func secret(
        _ text: String?, named name: String, orInFile path: String?, named fileName: String, default standard: String?
    ) -> Secret {
        switch (text, path) {
        case (let text?, nil): return Secret(text)
        case (nil, let path?): return secret(inFile: path, named: fileName)
        case (nil, nil):
            if let standard { return Secret(standard) }
            errors.append("\(name) is missing (or \(fileName))")
        case (_?, _?): errors.append("\(name) and \(fileName) are both set")
        }
        return Secret("")
    }

    /// The text of an account's setting; nil where it is not set.
    func text(_ key: AccountKey) -> String? {
        reader.string(forKey: ConfigKey(key.text), isSecret: true).flatMap { $0.isEmpty ? nil : $0 }
    }

    /// A secret of an account, from the setting itself or from a file.
    mutating func secret(_ field: AccountKey.Field, of name: String) -> Secret {
        let (key, file) = (AccountKey(field, of: name), AccountKey(field, of: name, isFile: true))
        return secret(text(key), named: key.text, orInFile: text(file), named: file.text, default: nil)
    }

    /// A file's whole text without the line break at its end.
    private mutating func secret(inFile path: String, named name: String) -> Secret {
        do {
            let text = try String(ofFile: path)
            // "\r\n" is one character, and a line break too.
            return Secret(String(text.last?.isNewline == true ? text.dropLast() : text[...]))
        } catch {
            errors.append("\(name) cannot be read: \(path): \(error)")
            return Secret("")
        }
    }

    mutating func add(_ error: String) {
        errors.append(error)
    }

    /// An empty value counts as not set, as `docker compose` passes variables that its own environment lacks.
    func text(_ setting: Setting) -> String? {
        reader.string(forKey: ConfigKey(setting.rawValue), isSecret: setting.isSecret).flatMap { $0.isEmpty ? nil : $0 }
    }
}

extension String {
    /// The text of a file that a setting names.
    ///
    /// - Throws: ``UnreadableFile``.
    init(ofFile path: String) throws(UnreadableFile) {
        do {
            self = try String(contentsOfFile: path, encoding: .utf8)
        } catch {
            throw UnreadableFile(error)
        }
    }
}

/// Why a file has no text to offer, in the operator's words: Foundation's own names it three times over.
struct UnreadableFile: Error, CustomStringConvertible {
    let description: String

    fileprivate init(_ error: any Error) {
        description =
            switch (error as? CocoaError)?.code {
            case .fileReadNoSuchFile: "there is no such file"
            case .fileReadNoPermission: "the file may not be read"
            case .fileReadCorruptFile: "the file is not UTF-8"
            default: "the file cannot be read"
            }
    }
}

/// Everything that is wrong with the configuration, named at once.
public struct ConfigurationError: Error, Equatable, CustomStringConvertible {
    /// One sentence per error; never empty.
    public let errors: [String]

    public var description: String {
        (["the configuration cannot be used:"] + errors.map { "  - \($0)" }).joined(separator: "\n")
    }
}
