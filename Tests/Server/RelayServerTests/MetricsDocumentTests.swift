import Foundation
import Observability
import TestPrograms
import Testing

@testable import FortModule
@testable import PortmoneModule
@testable import RelayServer

@Suite struct MetricsDocumentTests {
    private struct Row: Hashable {
        let name: String
        let kind: String
        let labels: [String]
    }

    /// The rows of the table in docs/metrics.md: a metric's name, its type and its labels.
    private func rows() throws -> [Row] {
        let text = try String(contentsOf: Project.url("docs/metrics.md"), encoding: .utf8)
        let tables = text.split(separator: "\n").filter { $0.hasPrefix("| `payrelay_") || $0.hasPrefix("| `http_") }
        return tables.map { row in
            let cells = row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            let labels = cells[2].split(separator: ",").map { $0.trimmingCharacters(in: [" ", "`"]) }
            return Row(name: cells[0].trimmingCharacters(in: ["`"]), kind: cells[1], labels: labels)
        }
    }

    @Test("The row of reloads names every part that is read again") func namesEveryReloadedPart() throws {
        let text = try String(contentsOf: Project.url("docs/metrics.md"), encoding: .utf8)
        let row = try #require(
            text.split(separator: "\n").first { $0.hasPrefix("| `payrelay_last_reload_successful`") })
        for part in ReloadStatus.Part.allCases { #expect(row.contains("`\(part.rawValue)`")) }
    }

    @Test func listsEveryMetricWithItsTypeAndItsLabelsAndNoOther() throws {
        let registry = MetricsRegistry()
        _ = (RelayMetrics(in: registry), FortMetrics(in: registry), PortmoneMetrics(in: registry))
        let described =
            (ScrapedGauges(moment: Date()).families
            + ["fort", "portmone"].flatMap { GatewayAvailability(name: $0, accounts: []).families }
            + registry.families)
            .map(\.description).map {
                Row(name: $0.name, kind: $0.kind.rawValue, labels: $0.labels)
            }
        #expect(try Set(rows()) == Set(described))
        #expect(try rows().count == described.count)
        #expect(Set(described.map(\.name)).count == described.count)
    }
}
