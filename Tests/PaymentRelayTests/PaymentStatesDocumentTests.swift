import Foundation
import PaymentRelay
import Testing

/// `docs/payment-states.md` shows what ``PaymentStateMachine`` does, and nothing else.
@Suite struct PaymentStatesDocumentTests {
    private static let document = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "docs/payment-states.md")

    @Test func theDocumentsTableIsWhatTheMachineDoes() throws {
        let table = StateTable().markdown
        #expect(try section("table") == table, "the machine's table is:\n\(table)")
    }

    @Test func theDocumentsDiagramIsWhatTheMachineDoes() throws {
        let diagram = StateTable().mermaid
        #expect(try section("diagram") == diagram, "the machine's diagram is:\n\(diagram)")
    }

    /// What stands between `<!-- name -->` and `<!-- end of name -->`.
    private func section(_ name: String) throws -> String {
        let text = try String(contentsOf: Self.document, encoding: .utf8)
        let begin = try #require(text.range(of: "<!-- \(name) -->\n"))
        let end = try #require(text.range(of: "\n<!-- end of \(name) -->", range: begin.upperBound..<text.endIndex))
        return String(text[begin.upperBound..<end.lowerBound])
    }
}

/// Every state against every event, asked of the machine.
private struct StateTable {
    private static let notFoundAfter = Duration.seconds(60)

    private static let events: [(name: String, event: PaymentEvent)] =
        [("the relay had stopped before an answer", .interrupted)]
        + reports.map { ("charge: \($0.name)", .charged($0.report)) }
        + reports.flatMap { name, report -> [(String, PaymentEvent)] in
            guard report == .answered(ProcessorAnswer(.notFound)) else {
                return [("query: \(name)", .queried(report, timeUncertain: .zero))]
            }
            return [
                ("query: \(name), early", .queried(report, timeUncertain: .zero)),
                ("query: \(name), after the time", .queried(report, timeUncertain: notFoundAfter)),
            ]
        }

    private static let reports: [(name: String, report: ProcessorReport)] = [
        ("not sent", .notSent(reason: "")), ("unanswered", .unanswered(reason: "")),
        ("authorized", .answered(ProcessorAnswer(.authorized))), ("captured", .answered(ProcessorAnswer(.captured))),
        ("declined", .answered(ProcessorAnswer(.declined))), ("voided", .answered(ProcessorAnswer(.voided))),
        ("refunded", .answered(ProcessorAnswer(.refunded))),
        ("pending", .answered(ProcessorAnswer(.pending(reason: "")))),
        ("duplicate", .answered(ProcessorAnswer(.duplicate))),
        ("not found", .answered(ProcessorAnswer(.notFound))),
    ]

    /// States that act alike share a column.
    private var columns: [(states: [PaymentState], cells: [String])] {
        let openFirst = PaymentState.allCases.filter(\.isOpen) + PaymentState.allCases.filter { !$0.isOpen }
        return openFirst.reduce(into: []) { columns, state in
            let cells = Self.events.map { cell(state, $0.event) }
            if let alike = columns.firstIndex(where: { $0.cells == cells }) {
                columns[alike].states.append(state)
            } else {
                columns.append(([state], cells))
            }
        }
    }

    var markdown: String {
        let columns = columns
        let names = columns.map { $0.states.map { "`\($0.rawValue)`" }.joined(separator: ", ") }
        let head = [row(["event"] + names), row(names.map { _ in "---" } + ["---"])]
        let rows = Self.events.indices.map { index in
            row([Self.events[index].name] + columns.map { $0.cells[index] })
        }
        return (head + rows).joined(separator: "\n")
    }

    /// The claim is the journal's doing, not the machine's: it begins a payment, and begins one anew that was not sent.
    var mermaid: String {
        var edges: [(from: PaymentState, to: PaymentState, names: [String])] = []
        for state in PaymentState.allCases {
            for (name, event) in Self.events {
                let next = after(state, event).state
                guard next != state else { continue }
                if let known = edges.firstIndex(where: { $0.from == state && $0.to == next }) {
                    edges[known].names.append(name)
                } else {
                    edges.append((state, next, [name]))
                }
            }
        }
        let lines =
            ["[*] --> processing: claim", "not_sent --> processing: claim"]
            + edges.map {
                // A colon would end the label.
                let label = $0.names.joined(separator: " / ").replacing(":", with: "")
                return "\($0.from.rawValue) --> \($0.to.rawValue): \(label)"
            }
        return "```mermaid\nstateDiagram-v2\n" + lines.map { "    \($0)\n" }.joined() + "```"
    }

    private func after(_ state: PaymentState, _ event: PaymentEvent) -> (
        state: PaymentState, action: PaymentStateMachine.Action
    ) {
        var machine = PaymentStateMachine(state: state, notFoundAfter: Self.notFoundAfter)
        let action = machine.handle(event)
        return (machine.state, action)
    }

    private func cell(_ state: PaymentState, _ event: PaymentEvent) -> String {
        let (next, action) = after(state, event)
        let move = next == state ? "" : "→ `\(next.rawValue)`, "
        return switch action {
        case .record(nil, _): move + "record"
        case .record(_?, _): move + "record with the answer"
        case .askAgain: move + "ask again"
        case .rest: move + "rest"
        }
    }

    private func row(_ cells: [String]) -> String {
        "| " + cells.joined(separator: " | ") + " |"
    }
}
