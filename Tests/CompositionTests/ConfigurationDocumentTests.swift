import Foundation
import Composition
import Testing

@Suite struct ConfigurationDocumentTests {
    /// The rows of the table in docs/configuration.md: the environment's name and the key in the file.
    private func rows() throws -> [String: String] {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let text = try String(contentsOf: root.appendingPathComponent("docs/configuration.md"), encoding: .utf8)
        let cells = text.split(separator: "\n").filter { $0.hasPrefix("| `PAYRELAY_") }.map { row in
            row.split(separator: "|").prefix(2).map { $0.filter { $0 != "`" && $0 != " " } }
        }
        return Dictionary(uniqueKeysWithValues: cells.map { ($0[0], $0[1]) })
    }

    @Test func listsEverySettingAndNoOther() throws {
        let settings = Dictionary(uniqueKeysWithValues: Setting.allCases.map { ($0.environmentName, $0.rawValue) })
        #expect(try rows() == settings)
    }
}
