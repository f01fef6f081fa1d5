import Composition
import Foundation
import Settings
import TestPrograms
import Testing

/// docs/configuration.md and docs/payrelay.example.yaml agree with the declarations of the settings.
@Suite struct ConfigurationDocumentTests {
    private static func document(_ name: String) -> URL { Project.url("docs/\(name)") }

    private static func row(_ setting: Setting) -> String {
        let standard = if case .value(let text) = setting.standard { "`\(text)`" } else { setting.standard.words }
        let cells = [
            "`\(setting.environmentName ?? "")`<br>`\(setting.key)`",
            "\(standard); \(setting.isSecret ? "secret: " : "")\(takes(setting.kind))",
            setting.summary + (setting.details.isEmpty ? "" : " \(setting.details)"),
        ]
        return "|" + cells.joined(separator: "|") + "|"
    }

    /// Returns the requirement as the page's introduction abbreviates it.
    private static func takes(_ kind: SettingKind) -> String {
        switch kind {
        case .number(let range, let unit):
            "\(range.lowerBound)–\(range.upperBound)\(unit.map { " \($0.rawValue)" } ?? "")"
        case .list(let items): items
        case .url: "URL"
        case .file(let words): words
        case .text, .secret, .flag, .choice: kind.requirement
        }
    }

    private static let begin = "<!-- The tables are made: make settings -->\n"
    private static let end = "<!-- End of the tables -->"

    /// Returns the page with a heading and a table for each group of settings, in their place.
    private static func made(of page: String) throws -> String {
        let begin = try #require(page.firstRange(of: begin))
        let end = try #require(page.firstRange(of: end))
        let tables = SettingCatalog.relay.groups.map { group in
            (["### \(group.title)", "", "| setting | default; takes | meaning |", "|---|---|---|"]
                + group.settings.map(row)).joined(separator: "\n") + "\n"
        }
        return page[..<begin.upperBound] + tables.joined(separator: "\n") + page[end.lowerBound...]
    }

    /// `make settings` writes the tables anew.
    @Test("docs/configuration.md has every setting, in the order of the declarations")
    func tables() throws {
        let page = try String(contentsOf: Self.document("configuration.md"), encoding: .utf8)
        let made = try Self.made(of: page)
        if ProcessInfo.processInfo.environment["PAYRELAY_WRITE_SETTINGS"] != nil {
            try Data(made.utf8).write(to: Self.document("configuration.md"))
            try Data(ConfigurationExample.text(of: .relay).utf8).write(to: Self.document("payrelay.example.yaml"))
            return
        }
        #expect(made == page, "make settings")
    }

    @Test("the example file is the one that `payrelay config example` prints")
    func example() throws {
        let example = try String(contentsOf: Self.document("payrelay.example.yaml"), encoding: .utf8)
        #expect(example == ConfigurationExample.text(of: .relay), "make settings")
    }
}
