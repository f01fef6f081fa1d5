import Foundation
import JournalContract
import PayrelayPrimitives

@testable import PaymentRelay

/// The machine's decision for every event in every state of a payment without an open operation.
struct StateTable {
    static let amount: MinorUnits = 10_000
    static let half: MinorUnits = 5_000
    static let notFoundAfter = Duration.seconds(60)

    static let events: [(name: String, event: SampleEvent)] =
        [("the relay stopped", .interrupted)]
        + reports.map { ("charge: \($0.name)", .charged($0.report)) }
        + reports.flatMap { name, report -> [(String, SampleEvent)] in
            guard report == .answered(GatewayAnswer(.notFound)) else {
                return [("query: \(name)", .queried(report, timeUncertain: .zero))]
            }
            return [
                ("query: \(name) yet", .queried(report, timeUncertain: .zero)),
                (
                    "query: \(name) after the time",
                    .queried(report, timeUncertain: notFoundAfter * NotFoundPatience.factorOfPending)
                ),
            ]
        }
        + otherAnswers
        + OperationCommand.allCases.map { ("request: \($0.rawValue)", .requested($0, amount: nil)) }

    private static let otherAnswers: [(String, SampleEvent)] = [
        ("query: more captured", .queried(.totals(.captured, Balance(captured: amount)), timeUncertain: .zero)),
        (
            "query: more refunded",
            .queried(.totals(.refunded, Balance(captured: amount, refunded: amount)), timeUncertain: .zero)
        ),
        ("query: earlier decline", .queried(earlierDecline, timeUncertain: .zero)),
        (
            "query: earlier decline after the time",
            .queried(earlierDecline, timeUncertain: notFoundAfter * NotFoundPatience.factorOfPending)
        ),
        (
            "query: another charge",
            .queried(
                .answered(GatewayAnswer(.captured, totals: Balance(captured: amount), reference: "2")),
                timeUncertain: .zero)
        ),
    ]

    private static let earlierDecline = Outcome<GatewayAnswer>.answered(
        GatewayAnswer(.declined, reference: "0"))

    static let reports: [(name: String, report: Outcome<GatewayAnswer>)] = [
        ("not sent", .notSent(reason: "")), ("unanswered", .unknown(reason: "")),
        ("authorized", .answered(GatewayAnswer(.authorized))), ("captured", .answered(GatewayAnswer(.captured))),
        ("declined", .answered(GatewayAnswer(.declined))), ("voided", .answered(GatewayAnswer(.voided))),
        ("partly voided", .totals(.voided, Balance(captured: half))),
        ("refunded", .answered(GatewayAnswer(.refunded))),
        ("pending", .answered(GatewayAnswer(.pending(reason: "")))),
        ("duplicate", .answered(GatewayAnswer(.duplicate))),
        ("not found", .answered(GatewayAnswer(.notFound))),
    ]

    /// The columns of the table. States that act alike share a column.
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
        return MarkdownTable(
            head: ["input"] + names,
            rowsToMerge: Self.events.indices.map { index in [Self.events[index].name] + columns.map { $0.cells[index] }
            }
        ).text
    }

    /// The transitions from open states and by operations, as a diagram. With the corrections of final states the picture would
    /// have twice as many arrows and be unreadable. The claim is not one of the machine's transitions: the journal begins a
    /// payment with it, or begins a payment anew that was not sent.
    var mermaid: String {
        var edges: [(from: PaymentState, to: PaymentState, names: [String])] = []
        for state in PaymentState.allCases where state.isOpen {
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
        edges += OperationTable.edges
        let lines =
            ["[*] --> processing: claim", "not_sent --> processing: claim"]
            + edges.map {
                // A colon would end the label.
                let label = Self.shortened($0.names).joined(separator: " / ").replacing(":", with: "")
                return "\($0.from.rawValue) --> \($0.to.rawValue): \(label)"
            }
        return "```mermaid\nstateDiagram-v2\n" + lines.map { "    \($0)\n" }.joined() + "```"
    }

    /// Shortens the names: if the answers to the charge and to a query have the same effect, the effect is listed once.
    private static func shortened(_ names: [String]) -> [String] {
        names.compactMap { name in
            let parts = name.split(separator: ": ")
            guard parts.count == 2, names.contains("charge: \(parts[1])"), names.contains("query: \(parts[1])") else {
                return name
            }
            return parts[0] == "charge" ? String(parts[1]) : nil
        }
    }

    private func after(_ state: PaymentState, _ event: SampleEvent) -> (
        state: PaymentState, action: MachineDecision
    ) {
        // The decline may be of an earlier attempt only if the charge's own number is not certain.
        let isOfEarlierAttempt = if case .queried(Self.earlierDecline, _) = event { true } else { false }
        var machine = SamplePayment(
            state: state, amount: Self.amount, balance: state.sampleBalance, gatewayReference: "1",
            isReferenceOfCharge: !isOfEarlierAttempt, notFoundAfter: Self.notFoundAfter)
        let action = machine.handle(event)
        return (machine.state, action)
    }

    private func cell(_ state: PaymentState, _ event: SampleEvent) -> String {
        let (next, action) = after(state, event)
        return next == state ? action.word : "`\(next.rawValue)`"
    }
}

extension PaymentState {
    /// A balance that leads to the state.
    var sampleBalance: Balance {
        switch self {
        case .processing, .notSent, .authorized, .declined, .voided, .uncertain, .notProcessed: Balance()
        case .partiallyCaptured: Balance(captured: StateTable.half)
        case .captured: Balance(captured: StateTable.amount)
        case .partiallyRefunded: Balance(captured: StateTable.amount, refunded: StateTable.half)
        case .refunded: Balance(captured: StateTable.amount, refunded: StateTable.amount)
        }
    }
}

extension Outcome<GatewayAnswer> {
    static func totals(
        _ meaning: GatewayAnswer.Meaning, _ totals: Balance
    ) -> Outcome<GatewayAnswer> {
        .answered(GatewayAnswer(meaning, totals: totals))
    }
}

struct MarkdownTable {
    let head: [String]
    let rows: [[String]]

    /// Makes a table in which rows with the same cells become one row, named for example `charge: unanswered, pending; query:
    /// pending`.
    init(head: [String], rowsToMerge rows: [[String]]) {
        var merged: [(names: [String], cells: [String])] = []
        for row in rows {
            let cells = Array(row.dropFirst())
            if let alike = merged.firstIndex(where: { $0.cells == cells }) {
                merged[alike].names.append(row[0])
            } else {
                merged.append(([row[0]], cells))
            }
        }
        self.head = head
        self.rows = merged.map { [Self.joined($0.names)] + $0.cells }
    }

    private static func joined(_ names: [String]) -> String {
        var (text, kind) = ("", Substring())
        for name in names {
            let colon = name.firstIndex(of: ":") ?? name.startIndex
            if text.isEmpty || colon == name.startIndex || name[..<colon] != kind {
                text += (text.isEmpty ? "" : "; ") + name
            } else {
                text += "," + name[colon...].dropFirst()
            }
            kind = name[..<colon]
        }
        return text
    }

    var text: String {
        ([head, head.map { _ in "---" }] + rows).map { "|" + $0.joined(separator: "|") + "|" }
            .joined(separator: "\n")
    }
}
