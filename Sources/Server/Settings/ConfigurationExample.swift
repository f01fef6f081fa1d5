import PayrelayPrimitives

/// The example of a configuration file: every setting, commented out, with its default.
public enum ConfigurationExample {
    public static func text(of catalog: SettingCatalog) -> String {
        var lines = [
            "# Settings of payrelay; docs/configuration.md says more about each. Remove the # of a line to change its setting.",
            "# `payrelay serve --config FILE` reads this file, or PAYRELAY_CONFIG=FILE names it; a variable of the environment",
            "# (PAYRELAY_HTTP_PORT for http.port) comes before it. `payrelay config check` names every mistake at once, and",
            "# `payrelay config schema` is for editors. A secret KEY may be in a separate file, which KEY_file names.",
        ]
        var section = ""
        for group in catalog.groups {
            let title = "# ---- \(group.title)"
            lines += ["", title]
            for setting in group.settings {
                let path = setting.key.parts(at: ".").map(String.init)
                if path.count > 1, path[0] != section {
                    section = path[0]
                    lines.append("\(section):")
                }
                let indent = path.count > 1 ? "  " : ""
                lines += comment(on: setting).map { "\(indent)# \($0)" }
                lines.append("\(indent)#\(path.last ?? ""):\(value(of: setting))")
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// Returns the comment above a setting: its summary, the requirement on its value, and its default or an example.
    private static func comment(on setting: Setting) -> [String] {
        var words = setting.summary
        let requirement = setting.kind.requirement
        switch setting.kind {
        case .secret: break
        // Capitalizing the first letter would change the value.
        case .flag, .choice: words += " Takes \(requirement)."
        case .text, .number, .list, .url, .file: words += " \(requirement.capitalizedASCII)."
        }
        switch setting.standard {
        case .required: words += " Required."
        case .value: break
        case .none, .sum: words += " Default: \(setting.standard.words)."
        }
        if case .none = setting.standard, let example = setting.example { words += " For example: \(example)" }
        return wrapped(words, at: 110)
    }

    private static func value(of setting: Setting) -> String {
        switch setting.standard {
        case .value(let text): " \(text)"
        case .required: " \(quoted(setting.example ?? ""))"
        // No value, which is equivalent to leaving the setting out.
        case .none, .sum: ""
        }
    }

    /// Returns the text, quoted if it consists of digits, which YAML would read as a number.
    private static func quoted(_ text: String) -> String {
        text.utf8.allSatisfy(\.isASCIIDigit) ? "\"\(text)\"" : text
    }

    private static func wrapped(_ text: String, at width: Int) -> [String] {
        var lines = [""]
        for word in text.words {
            let line = lines[lines.count - 1]
            if line.isEmpty {
                lines[lines.count - 1] = String(word)
            } else if line.count + 1 + word.count <= width {
                lines[lines.count - 1] += " " + word
            } else {
                lines.append(String(word))
            }
        }
        return lines
    }
}
