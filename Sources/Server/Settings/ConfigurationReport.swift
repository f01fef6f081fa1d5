public import PayrelayPrimitives

/// Every setting with its effective value and the source of that value. It contains no secrets: values that are
/// not shown are not stored.
public struct ConfigurationReport: Sendable {
    public struct Row: Sendable, Equatable {
        public let setting: Setting
        /// The value in the form that may be shown, if any.
        public let value: String?
        public let source: SettingSource
        /// The path of the file that contains the secret.
        public let secretFile: String?

        /// The value, and the file of a secret, for people.
        public var shown: String {
            let value = value ?? "(\(setting.standard.words))"
            return secretFile.map { "\(value) in \($0)" } ?? value
        }
    }

    public struct Group: Sendable {
        public let title: String
        public let rows: [Row]
    }

    public let groups: [Group]

    public init(_ sources: ConfigurationSources) {
        let settings = SettingReader(sources)
        let accounts = sources.catalog.accounts.flatMap { accounts in
            sources.accountNames(of: accounts).map { name in
                SettingGroup("The \(accounts.title) account \(name)", accounts.settings(of: name))
            }
        }
        // If the file lists accounts, the settings of the single account are not used, so their defaults are left
        // out.
        let unused = sources.catalog.accounts.filter { !sources.accountNames(of: $0).isEmpty }.flatMap(\.settings)
        groups = (sources.catalog.groups + accounts).map { group in
            let rows = group.settings.map { Row($0, sources, settings) }
            return Group(
                title: group.title, rows: rows.filter { $0.source != .standard || !unused.contains($0.setting) })
        }
    }

    public var json: JSON {
        .array(
            groups.flatMap(\.rows).map { row in
                var members = JSONObject([
                    ("setting", .string(row.setting.key)),
                    ("environment", row.setting.environmentName.map(JSON.string) ?? .null),
                    ("value", row.value.map(JSON.string) ?? .null), ("source", .string("\(row.source)")),
                ])
                members["secret_file"] = row.secretFile.map(JSON.string)
                return .object(members)
            })
    }
}

extension ConfigurationReport.Row {
    /// The text that is shown instead of a secret. It reveals neither the secret's length nor a part of it.
    private static let mask = "***"
    /// The minimum length of a path segment that may be a secret, in bytes.
    private static let secretSegment = 16

    fileprivate init(_ setting: Setting, _ sources: ConfigurationSources, _ settings: SettingReader) {
        self.setting = setting
        let own = sources.value(setting)
        let file = setting.isSecret ? sources.value(setting.file) : nil
        source = (own ?? file)?.source ?? .standard
        secretFile = own == nil ? file?.text : nil
        value =
            if let own {
                Self.shown(own.text, of: setting)
            } else if file != nil {
                Self.mask
            } else {
                switch setting.standard {
                case .required, .none: nil
                case .value, .sum: settings.defaultText(of: setting)
                }
            }
    }

    private static func shown(_ text: String, of setting: Setting) -> String {
        switch setting.kind {
        case .secret: mask
        case .url: withoutCredentials(text)
        // An invalid value may be a secret that was set under the wrong name, so it is not shown.
        case .number, .flag, .choice: setting.kind.admits(text) ? text : "(invalid)"
        case .text, .list, .file: text
        }
    }

    /// Returns a URL without the parts that may be secrets: the user, the password, the query, the fragment, and
    /// long path segments, which webhook URLs often have.
    private static func withoutCredentials(_ url: String) -> String {
        let (scheme, rest) = url.cut(at: ":")
        guard let rest = rest?.after("//") else { return "(invalid)" }
        let place = rest.cut(at: "?").before.cut(at: "#").before
        let (authority, path) = place.cut(at: "/")
        let host = authority.has("@") ? mask + "@" + (authority.parts(at: "@").last ?? "") : String(authority)
        let shown = path?.parts(at: "/").map { $0.utf8.count < secretSegment ? String($0) : mask }.joined(
            separator: "/")
        return scheme + "://" + host + (shown.map { "/" + $0 } ?? "")
            + (place.endIndex == rest.endIndex ? "" : "?" + mask)
    }
}
