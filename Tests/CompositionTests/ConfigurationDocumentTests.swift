import Composition
import Foundation
import Testing

/// docs/configuration.md and docs/payrelay.example.yaml say what the declarations of the settings say.
@Suite struct ConfigurationDocumentTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    private func document(_ name: String) throws -> String {
        try String(contentsOf: Self.root.appendingPathComponent("docs/\(name)"), encoding: .utf8)
    }

    /// What a row of the tables begins with; more may follow in its last cell.
    private func row(_ setting: Setting) -> String {
        let standard = if case .value(let text) = setting.standard { "`\(text)`" } else { setting.standard.words }
        let cells = [
            "`\(setting.environmentName ?? "")`<br>`\(setting.key)`",
            (setting.isSecret ? "secret: " : "") + setting.kind.requirement, standard, setting.summary,
        ]
        return "| " + cells.joined(separator: " | ")
    }

    @Test(
        "the tables have every setting in the order of the declarations, with what it takes, its default and its summary"
    )
    func tables() throws {
        let lines = try document("configuration.md").split(separator: "\n")
            .filter { $0.hasPrefix("### ") || $0.hasPrefix("| `PAYRELAY_") }
        let expected = Setting.groups.flatMap { ["### \($0.title)"] + $0.settings.map(row) }
        let isRight =
            lines.count >= expected.count
            && zip(lines, expected).allSatisfy { line, start in line.hasPrefix(start) }
            && !lines.dropFirst(expected.count).contains { $0.hasPrefix("|") }
        #expect(isRight, "the headings and rows must begin with:\n\(expected.joined(separator: "\n"))")
    }

    @Test("the example file is the one that `payrelay config example` prints")
    func example() throws {
        #expect(
            try document("payrelay.example.yaml") == ConfigurationExample.text,
            "payrelay config example > docs/payrelay.example.yaml")
    }
}
