import Foundation
import JournalContract
import PaymentRelay
import SQLJournal
import TestPostgres
import Testing

@testable import PostgresDriver

@Suite(.enabled(if: PostgresServer.isAvailable, "PostgreSQL's server programs are not installed"))
struct EventRaceTests {
    private func leasedEvent(in schema: PostgresSchema) async throws -> (SQLJournal, DueEvent) {
        let journal = try await schema.journal()
        _ = try await journal.claim(.sample("A", token: 1))
        let entry = HistoryEntry(at: .wholeSecond, state: .captured, event: [1])
        #expect(try await journal.transition("A", from: .processing, receipt: nil, because: entry))
        let leased = try await journal.lease(DueEvent.self, of: nil, limit: 1, at: .wholeSecond, until: .wholeSecond)
        return (journal, try #require(leased.first))
    }

    /// A session that waits for a row reads only that row again. It does not see an entry that was committed together with the
    /// row.
    @Test(.timeLimit(.minutes(25))) func forgetsNoEventThatIsWrittenDuringAnAcknowledgement() async throws {
        try await PostgresSchema.with { schema in
            let (journal, first) = try await leasedEvent(in: schema)

            let writer = try schema.session()
            func run(_ script: String) throws { _ = try writer.run(script: script, until: .now + .seconds(3_600)) }
            try run(
                """
                BEGIN; UPDATE payment SET version = 3; UPDATE work SET newest = 3 WHERE kind = 'deliver';
                INSERT INTO history (merchant_reference, number, at, state, captured, refunded, kind, event, times)
                    VALUES ('A', 3, 1, 'captured', 0, 0, 'charge', '2', 1);
                """)
            async let acknowledged: Void = journal.acknowledge(first, at: .wholeSecond)
            let waits =
                "SELECT FROM pg_locks JOIN pg_stat_activity USING (pid) WHERE NOT granted AND query LIKE 'DELETE FROM work%'"
            while try schema.run(waits).isEmpty { try await Task.sleep(for: .milliseconds(10)) }
            try run("COMMIT")
            try await acknowledged
            let next = try await journal.lease(DueEvent.self, of: nil, limit: 1, at: .wholeSecond, until: .wholeSecond)
            #expect(next.map(\.number) == [3])
        }
    }

    @Test("an answer recorded during an erasure is not kept", .timeLimit(.minutes(25)), arguments: [true, false])
    func keepsNoAnswerThatIsRecordedDuringAnErasure(isAcknowledged: Bool) async throws {
        try await PostgresSchema.with { schema in
            let (journal, due) = try await leasedEvent(in: schema)

            let eraser = try schema.session()
            func run(_ script: String) throws { _ = try eraser.run(script: script, until: .now + .seconds(3_600)) }
            try run("BEGIN; UPDATE payment SET holds_customer_data = 0")
            let attempt = DeliveryAttempt(
                at: .wholeSecond, result: isAcknowledged ? .acknowledged : .refused, endpoint: "https://shop.example",
                status: 200, milliseconds: 7, answer: "Jane Doe")
            let later = Date.wholeSecond + 60
            async let ended: Void =
                try await isAcknowledged
                ? journal.acknowledge(due, at: .wholeSecond, after: attempt)
                : journal.postpone(due, until: later, after: attempt)
            _ = try await schema.waitingBackends()
            try run("COMMIT")
            try await ended
            let progress = try #require(try await journal.eventProgress(of: "A"))
            #expect(progress.attempts[2]?.newest.map(\.answer) == [nil])
            #expect((progress.acknowledged >= 2) == isAcknowledged)
            #expect(progress.dueAt == (isAcknowledged ? nil : later))
        }
    }
}
