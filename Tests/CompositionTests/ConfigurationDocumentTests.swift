import Composition
import Foundation
import Settings
import Testing

/// docs/configuration.md and docs/payrelay.example.yaml say what the declarations of the settings say.
@Suite struct ConfigurationDocumentTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    private static func document(_ name: String) -> URL { root.appendingPathComponent("docs/\(name)") }

    private static func row(_ setting: Setting) -> String {
        let standard = if case .value(let text) = setting.standard { "`\(text)`" } else { setting.standard.words }
        let cells = [
            "`\(setting.environmentName ?? "")`<br>`\(setting.key)`",
            (setting.isSecret ? "secret: " : "") + setting.kind.requirement, standard,
            setting.summary + (setting.details.isEmpty ? "" : " \(setting.details)"),
        ]
        return "| " + cells.joined(separator: " | ") + " |"
    }

    private static let begin = "<!-- The tables are made: make settings -->\n"
    private static let end = "<!-- End of the tables -->"

    /// The page with a heading and a table for each group of the declarations in the place for them.
    private static func made(of page: String) throws -> String {
        let begin = try #require(page.firstRange(of: begin))
        let end = try #require(page.firstRange(of: end))
        let tables = SettingCatalog.relay.groups.map { group in
            (["### \(group.title)", "", "| setting | takes | default | meaning |", "|---|---|---|---|"]
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
