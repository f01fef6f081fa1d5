import PayrelayPrimitives

/// A setting. Its declaration is the only source for the values that the reader accepts, the default, the JSON
/// Schema, the output of `payrelay config print`, the example file and the tables in docs/configuration.md.
public struct Setting: Sendable, Hashable {
    /// The key in a configuration file. Dots separate nested keys.
    public let key: String
    public let kind: SettingKind
    public let standard: SettingDefault
    /// One or two sentences in plain text.
    public let summary: String
    /// The Markdown text that follows the summary in docs/configuration.md.
    package let details: String
    /// An example value for a setting without a default.
    package let example: String?
    /// The name of the account that the setting belongs to, if its section lists several. Such a setting can be
    /// set only in the file.
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

    /// Returns this setting for one of several accounts.
    package func ofAccount(_ name: String) -> Setting {
        let (section, field) = key.cut(at: ".")
        return Setting(
            key: "\(section).accounts.\(name).\(field ?? "")", kind: kind, standard: standard, summary: summary,
            example: example,
            details: details, account: name)
    }

    /// The name of the environment variable; `nil` if the setting can be set only in the file.
    public var environmentName: String? {
        account == nil ? "PAYRELAY_" + key.replacingEach(".", with: "_").uppercasedASCII : nil
    }

    /// The name in messages: the environment variable if there is one, otherwise the key.
    package var name: String { environmentName ?? key }

    public var isSecret: Bool {
        if case .secret = kind { true } else { false }
    }

    /// The setting for the path of a file that contains the secret, as an alternative to the secret itself.
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
    /// There is no value. The text says what that means, such as "plain HTTP".
    case none(String)
    case value(String)
    /// The sum of a number and the greatest value of other settings. A gateway's setting counts only if the
    /// gateway has an account.
    case sum([Setting], Int)

    package static func value(_ number: Int) -> SettingDefault { .value(String(number)) }

    /// The default in words, for people.
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
