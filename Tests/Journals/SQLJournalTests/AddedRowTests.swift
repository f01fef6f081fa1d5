import Foundation
import JournalContract
import PaymentRelay
import PayrelayPrimitives
import Testing

@testable import SQLJournal

@Suite struct AddedRowTests {
    @Test("SQLite adds each row by itself: to undo the rows of a query it would keep the pages that they change")
    func addsEachRowByItself() throws {
        let claims = ["k", nil].map { Change.sample("A", token: 1, key: $0) }
        var charged = claims[0].after
        charged.balance = Balance(captured: 9, refunded: 4)
        charged.state = .partiallyRefunded
        let event = HistoryEntry(at: .wholeSecond, state: charged.state, balance: charged.balance, event: [1])
        var begun = charged
        begun.operations = [
            PaymentOperation(
                command: .refund, amount: 1, maintenanceReference: nil, idempotencyKey: "k", before: charged.balance,
                begunAt: .wholeSecond)
        ]
        let changes =
            claims + [
                Change(from: claims[0].after, to: charged, because: event),
                Change(from: nil, to: charged, because: event),
                Change(from: charged, to: begun, because: event),
            ]
        let statements = changes.map {
            CommitStatement(for: ChangeShape(of: WrittenChange($0)), isKept: true).statement
        }
        #expect(Set(statements.map(\.name)).count == statements.count)
        #expect(statements.allSatisfy { $0.name.map { $0.utf8.count < 64 } ?? false })
        let added = statements.flatMap { statement in
            statement.steps
                .map { Dialect.sqlite.written($0) }.filter { $0.hasPrefix("INSERT") }
        }
        // Each claim adds the payment, the query and the entry, and one of the claims adds its key. The outcome and the
        // external payment add an entry, two movements and a delivery, and the latter adds the payment itself. The operation
        // adds the entry, the key, the query and the delivery.
        #expect(added.count == (3 + 3 + 1) + (4 + 5) + 4)
        for sql in added {
            #expect(sql.contains(")\nVALUES (") && !sql.contains("changed") && !sql.contains("SELECT"))
            #expect(sql.filter { $0 == "(" }.count == sql.filter { $0 == ")" }.count)
        }
    }

    @Test("a change writes the columns that it changes, and PostgreSQL has all of it in one statement")
    func writesChangedColumnsOnly() throws {
        let claim = Change.sample("A", token: 1)
        let entry = HistoryEntry(at: .wholeSecond, state: .captured, balance: Balance(captured: 5))
        var captured = claim.after
        (captured.state, captured.balance) = (.captured, Balance(captured: 5))
        let written = WrittenChange(Change(from: claim.after, to: captured, because: entry))
        let commit = CommitStatement(for: ChangeShape(of: written), isKept: true)
        #expect(
            commit.statement.first
                == "UPDATE payment SET state = $4, captured = $5, version = $2 WHERE merchant_reference = $1 AND version = $6 AND claimed_at = $7"
        )
        #expect(
            commit.values(of: written).prefix(6) == [
                .text("A"), .integer(2), .moment(.wholeSecond), .text("captured"), .integer(5), .integer(1),
            ])
        let sql = Dialect.postgres.written(commit.statement.composed)
        #expect(sql.hasPrefix("WITH changed AS (UPDATE payment SET") && sql.contains("RETURNING 1"))
        #expect(sql.components(separatedBy: "EXISTS (SELECT 1 FROM changed)").count == commit.statement.steps.count)
    }
}
