import FortAPI
import Foundation
import PayrelayPrimitives
import SandboxParts
import TestPrograms
import Testing

@testable import FortSandbox

/// The table of outcomes in docs/sandbox.md, row by row.
@Suite struct SandboxOutcomeTests {
    struct Row: Sendable {
        let amount: Int
        /// The code of the answer to PURCHASE, or `nil` if there is no answer.
        let code: String?
        /// The codes that CHECK_STATUS reports at once, and eleven seconds later.
        let transactionCode: String
        let laterCode: String
        let isCharged: Bool

        init(_ amount: Int, _ code: String?, _ transactionCode: String, later: String? = nil, charged: Bool) {
            self.amount = amount
            self.code = code
            self.transactionCode = transactionCode
            laterCode = later ?? transactionCode
            isCharged = charged
        }
    }

    static let rows = [
        Row(10_000, "14000", "14000", charged: true),
        Row(10_012, "13012", "13012", charged: false),
        Row(10_029, "13029", "13029", charged: false),
        Row(10_666, "13666", "13666", charged: false),
        Row(10_785, "13785", "13785", charged: false),
        Row(10_006, "13006", "13006", charged: false),
        Row(10_020, "20000", "20000", later: "14000", charged: true),
        Row(10_002, "14000", "14000", charged: true),
        Row(15_777, "15777", "14000", charged: true),
        Row(10_408, nil, "14000", charged: true),
    ]

    @Test(arguments: rows)
    func anAmountSelectsTheOutcomeOfAPurchase(row: Row) async throws {
        try await hold(row, against: .purchase) { $0 }
    }

    @Test(arguments: rows)
    func anAuthorizationMeetsTheSameUnderItsOwnStatuses(row: Row) async throws {
        try await hold(row, against: .authorization) { code in
            switch code.prefix(2) {
            case "14": "02" + code.suffix(3)
            case "13": "03" + code.suffix(3)
            default: code
            }
        }
    }

    @Test func theDocumentListsEveryOutcome() throws {
        let document = Project.url("docs/sandbox.md")
        let lines = try String(contentsOf: document, encoding: .utf8).split(separator: "\n")
        let documented = lines.prefix { $0 != "## Portmone" }.compactMap { line -> [String]? in
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            return cells.count == 5 && Int(cells[0]) != nil ? [cells[0], cells[2], cells[3]] : nil
        }
        let expected = Self.rows.dropFirst().map { row in
            let code = row.code ?? "none"
            let ofCapture = ["13": "05", "14": "04"][code.prefix(2)].map { $0 + code.dropFirst(2) } ?? code
            return [String(row.amount), code, ofCapture]
        }
        #expect(documented == expected)
    }

    private func hold(_ row: Row, against command: FortCommand, code: (String) -> String) async throws {
        let bench = try SandboxBench()
        let payment = try bench.payment("A", command, amount: row.amount)
        if let expected = row.code {
            let answer = try await bench.send(payment)
            #expect(answer["response_code"] == code(expected))
            #expect((answer["authorization_code"] != nil) == row.isCharged)
        } else {
            #expect(await bench.sandbox.reply(to: payment.body) == .silence)
        }
        #expect(await bench.sandbox.orders.allSatisfy { $0.isCharged == row.isCharged })
        try await expectStatus(of: bench, code(row.transactionCode), row: row, command)
        bench.wait(seconds: 11)
        try await expectStatus(of: bench, code(row.laterCode), row: row, command)
    }

    private func expectStatus(of bench: SandboxBench, _ code: String, row: Row, _ command: FortCommand) async throws {
        let found = try await bench.send(bench.query("A"))
        #expect(found.class == .success)
        #expect(found["transaction_code"] == code)
        #expect(found["transaction_status"] == String(code.prefix(2)))
        let isDone = ["02000", "14000"].contains(code)
        #expect(found["authorized_amount"] == (isDone ? String(row.amount) : "0"))
        #expect(found["captured_amount"] == (isDone && command == .purchase ? String(row.amount) : "0"))
        #expect(found["refunded_amount"] == "0")
    }
}
