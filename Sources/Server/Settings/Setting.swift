import PayrelayPrimitives

/// One setting. Its declaration is the one source of what the reader takes and uses by default, of the JSON Schema,
/// of `payrelay config print`, of the example file and of the tables in docs/configuration.md.
public struct Setting: Sendable, Hashable {
    /// In a configuration file, with dots where keys are nested.
    public let key: String
    public let kind: SettingKind
    public let standard: SettingDefault
    /// One sentence, or two, in plain text.
    public let summary: String
    /// Markdown that follows the summary in docs/configuration.md.
    package let details: String
    /// A value for a setting that has no default.
    package let example: String?
    /// The name of the account that the setting belongs to, where a section lists several: it can be set in the file alone.
    private let account: String?

    package init(
        _ key: String, _ kind: SettingKind, default standard: SettingDefault, _ summary: String, example: String? = nil,
        details: String = ""
    ) {
        self.init(
            key: key, kind: kind, standard: standard, summary: summary, example: example, details: details,
            account: nil)
    }

    private init(
        key: String, kind: SettingKind, standard: SettingDefault, summary: String, example: String?, details: String,
        account: String?
    ) {
        self.key = key
        self.kind = kind
        self.standard = standard
        self.summary = summary
        self.example = example
        self.details = details
        self.account = account
    }

    /// The same setting of an account among several.
    package func ofAccount(_ name: String) -> Setting {
        let (section, field) = key.cut(at: ".")
        return Setting(
            key: "\(section).accounts.\(name).\(field ?? "")", kind: kind, standard: standard, summary: summary,
            example: example,
            details: details, account: name)
    }

    /// The name in the environment; nil where the file alone can set it.
    public var environmentName: String? {
        account == nil ? "PAYRELAY_" + key.replacingEach(".", with: "_").uppercasedASCII : nil
    }

    /// The name in messages: the environment's, otherwise the key.
    package var name: String { environmentName ?? key }

    public var isSecret: Bool {
        if case .secret = kind { true } else { false }
    }

    /// The path of a file that holds a secret, in place of the secret itself.
    package var file: Setting {
        Setting(
            key: key + "_file", kind: .file("a file"), standard: .none("none"),
            summary: "The file whose whole text is \(key).", example: nil, details: "",
            account: account)
    }
}

/// The value of a setting that is not set.
public indirect enum SettingDefault: Sendable, Hashable {
    /// The setting is required.
    case required
    /// No value; the text says what that means: "plain HTTP".
    case none(String)
    case value(String)
    /// The sum of a number and the greatest value of other settings. A gateway's counts if the gateway has an account.
    case sum([Setting], Int)

    package static func value(_ number: Int) -> SettingDefault { .value(String(number)) }

    /// For people.
    public var words: String {
        switch self {
        case .required: "required"
        case .none(let words): words
        case .value(let text): text
        case .sum(let settings, let number):
            "\(number) more than " + (settings.count > 1 ? "the greatest of " : "")
                + settings.map(\.key).joined(separator: ", ")
        }
    }
}

/// Settings for one purpose.
public struct SettingGroup: Sendable {
    /// The purpose, as a heading: "Record payments".
    public let title: String
    public let settings: [Setting]

    package init(_ title: String, _ settings: [Setting]) {
        self.title = title
        self.settings = settings
    }
}
