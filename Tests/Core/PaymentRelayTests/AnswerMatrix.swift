import Foundation
import JournalContract
import PayrelayPrimitives

@testable import PaymentRelay

/// The matrix of every status and every kind of totals, in every state of a payment, as the machine reads them when the waiting
/// time is over.
struct AnswerMatrix {
    static let amount = StateTable.amount
    static let half = StateTable.half
    static let overTime = StateTable.notFoundAfter * NotFoundPatience.factorOfPending

    /// The status of an answer to a query.
    static let statuses: [(name: String, meaning: GatewayAnswer.Meaning, isStillDeciding: Bool)] = [
        ("authorized", .authorized, false), ("captured", .captured, false), ("declined", .declined, false),
        ("voided", .voided, false), ("refunded", .refunded, false), ("undecided", .pending(reason: ""), true),
        ("says nothing", .pending(reason: ""), false), ("duplicate", .duplicate, false),
        ("not found", .notFound, false),
    ]

    /// Authorized, captured and refunded amounts of an answer. `nil` stands for amounts that the answer does not have.
    static let totals: [(name: String, authorized: MinorUnits?, moved: Balance?)] = [
        ("none", nil, nil), ("0 / 0 / 0", .zero, Balance()), ("10000 / 0 / 0", amount, Balance()),
        ("10000 / 5000 / 0", amount, Balance(captured: half)),
        ("10000 / 10000 / 0", amount, Balance(captured: amount)),
        ("10000 / 10000 / 5000", amount, Balance(captured: amount, refunded: half)),
        ("10000 / 10000 / 10000", amount, Balance(captured: amount, refunded: amount)),
        ("20000 / 20000 / 0", 20_000, Balance(captured: 20_000)),
    ]

    /// The states of the payment before the answer. States without a charge act alike, so only one of them is listed.
    static let states: [PaymentState] = [
        .uncertain, .declined, .voided, .authorized, .partiallyCaptured, .captured, .partiallyRefunded, .refunded,
    ]

    static func answer(_ status: Int, _ totals: Int) -> GatewayAnswer {
        let (status, totals) = (statuses[status], Self.totals[totals])
        return GatewayAnswer(
            meaning: status.meaning, authorized: totals.authorized, captured: totals.moved?.captured,
            totals: totals.moved, isStillDeciding: status.isStillDeciding, reference: "1", summary: [:], response: [:])
    }

    /// The matrix as a table. Statuses that the machine reads alike beside the same totals share a row.
    var markdown: String {
        var rows: [(totals: String, statuses: [String], cells: [String])] = []
        for (place, totals) in Self.totals.enumerated() {
            for (number, status) in Self.statuses.enumerated() {
                let cells = Self.states.map { cell(Self.answer(number, place), in: $0) }
                if let alike = rows.firstIndex(where: { $0.totals == totals.name && $0.cells == cells }) {
                    rows[alike].statuses.append(status.name)
                } else {
                    rows.append((totals.name, [status.name], cells))
                }
            }
        }
        let lines = rows.map { row in
            let isAny = row.statuses.count == Self.statuses.count
            return [row.totals, isAny ? "any" : row.statuses.joined(separator: ", ")] + row.cells
        }
        let head = ["totals", "status"] + Self.states.map { "`\($0.rawValue)`" }
        return ([head, head.map { _ in "---" }] + lines).map { "|" + $0.joined(separator: "|") + "|" }
            .joined(separator: "\n")
    }

    /// Returns the payment's new state, or the machine's decision.
    private func cell(_ answer: GatewayAnswer, in state: PaymentState) -> String {
        var machine = Self.payment(in: state)
        guard Outcome.answered(answer).implausibility(for: machine.payment) == nil else { return "impossible" }
        let decision = machine.handle(.queried(.answered(answer), timeUncertain: Self.overTime))
        return machine.state == state && machine.balance == state.sampleBalance
            ? decision.word : "`\(machine.state.rawValue)`"
    }

    static func payment(in state: PaymentState) -> SamplePayment {
        SamplePayment(
            state: state, amount: amount, balance: state.sampleBalance, gatewayReference: "1",
            notFoundAfter: StateTable.notFoundAfter)
    }
}
