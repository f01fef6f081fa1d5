import PayrelayPrimitives
import Foundation
import JournalContract
import PaymentRelay
import TestPostgres
import Testing

@testable import PostgresJournal

@Suite(.enabled(if: PostgresServer.isAvailable, "PostgreSQL's server programs are not installed"))
struct PostgresMigrationTests {
    @Test("R7: many instances may start at once", .timeLimit(.minutes(5)), arguments: 1...5)
    func migratesOnceWhenManyInstancesStart(round: Int) async throws {
        try await PostgresSchema.with { schema in
            try await withThrowingTaskGroup { group in
                for number in 0..<12 {
                    group.addTask {
                        let journal = try await schema.journal()
                        #expect(try await journal.claim(.sample("\(number)", token: number)) == .claimed)
                    }
                }
                try await group.waitForAll()
            }
            #expect(
                try schema.run("SELECT version FROM payrelay_tables").map { try $0.text("version") }
                    == [String(PostgresMigrations.all.count)])
        }
    }

    @Test(.timeLimit(.minutes(5))) func completesAMigrationThatStoppedHalfWay() async throws {
        try await PostgresSchema.with { schema in
            try schema.run(
                """
                CREATE TABLE payrelay_tables (one bigint PRIMARY KEY, version bigint NOT NULL);
                INSERT INTO payrelay_tables VALUES (1, 0);
                """)
            try schema.run(String(PostgresMigrations.all[0].prefix { $0 != ";" }))
            #expect(try await schema.journal().claim(.sample("A", token: 1)) == .claimed)
        }
    }

    @Test(.timeLimit(.minutes(5))) func migratesPaymentsOfAnEarlierVersion() async throws {
        try await PostgresSchema.with { schema in
            try schema.run(
                "CREATE TABLE payrelay_tables (one bigint PRIMARY KEY, version bigint NOT NULL);"
                    + "INSERT INTO payrelay_tables VALUES (1, 1);" + PostgresMigrations.all[0])
            for (reference, state) in [("open", "uncertain"), ("taken", "captured"), ("back", "refunded")] {
                try schema.run(
                    """
                    INSERT INTO payment (merchant_reference, state, command, amount, currency, fingerprint,
                        apple_transaction_identifier, claimed_at, lease_number, lease_expires_at, entries)
                    VALUES ('\(reference)', '\(state)', 'PURCHASE', 7, 'AED', '', '', 5, 0, 0, 1)
                    """)
            }
            let journal = try await schema.journal()
            #expect(try await journal.openPayments(limit: 9).map(\.merchantReference) == ["open"])
            #expect(try await journal.payment("taken")?.balance == Balance(captured: 7))
            #expect(try await journal.payment("back")?.balance == Balance(captured: 7, refunded: 7))
        }
    }

    @Test(.timeLimit(.minutes(5)), arguments: 1...2)
    func recordsNoEventsForAnEarlierVersionsHistory(version: Int) async throws {
        try await PostgresSchema.with { schema in
            try schema.run(
                "CREATE TABLE payrelay_tables (one bigint PRIMARY KEY, version bigint NOT NULL);"
                    + "INSERT INTO payrelay_tables VALUES (1, \(version));"
                    + PostgresMigrations.all.prefix(version).joined(separator: "\n"))
            try schema.run(
                """
                INSERT INTO payment (merchant_reference, state, command, amount, currency, fingerprint,
                    apple_transaction_identifier, claimed_at, lease_number, lease_expires_at, entries)
                VALUES ('A', 'captured', 'PURCHASE', 7, 'AED', '', '', 5, 0, 0, 1);
                INSERT INTO history (merchant_reference, entry, at, state) VALUES ('A', 1, 5, 'captured');
                """)
            let journal = try await schema.journal()
            #expect(try await journal.eventSummary() == EventSummary())
            #expect(try await !journal.resendEvents(of: "A", since: .distantPast, at: .wholeSecond))
            let payment = try #require(try await journal.payment("A"))
            let entry = HistoryEntry(at: .wholeSecond, state: .refunded, event: [1])
            #expect(try await journal.compareAndSet(payment, to: payment, because: entry))
            let due = try await journal.leaseEvents(limit: 9, at: .wholeSecond, until: .wholeSecond + 60)
            #expect(due.map(\.number) == [2])
        }
    }

    @Test(
        "Entries of an earlier version have no source, and what was made elsewhere is listed", .timeLimit(.minutes(5)))
    func guessesNoSourceOfAnEarlierVersion() async throws {
        try await PostgresSchema.with { schema in
            try schema.run(
                "CREATE TABLE payrelay_tables (one bigint PRIMARY KEY, version bigint NOT NULL);"
                    + "INSERT INTO payrelay_tables VALUES (1, 8);"
                    + PostgresMigrations.all.prefix(8).joined(separator: "\n"))
            try schema.run(
                """
                INSERT INTO payment (merchant_reference, state, command, amount, currency, fingerprint,
                    apple_transaction_identifier, claimed_at, lease_number, lease_expires_at, entries)
                VALUES ('E', 'captured', 'PURCHASE', 7, 'AED', '', '', 1800000000000, 0, 0, 1),
                    ('A', 'captured', 'PURCHASE', 7, 'AED', '\\x00', 'ab', 1800000000000, 0, 0, 1);
                INSERT INTO history (merchant_reference, entry, at, state) VALUES ('E', 1, 5, 'captured'), ('A', 1, 5, 'captured');
                """)
            let journal = try await schema.journal()
            #expect(try await journal.history(of: "E").map(\.source) == [nil])
            let visible = VisiblePayments(of: "shop", includingMadeElsewhere: true)
            let page = try await journal.search(PaymentQuery(visibleTo: .payments(visible)))
            #expect(page.payments.map(\.merchantReference) == ["E"])
        }
    }

    /// R13: what an earlier version claimed by a verified token's digest, with the signing time before it, stays
    /// claimed; and an instance of that version, still running, cannot claim by it any more.
    @Test("R13: tokens that an earlier version claimed stay claimed", .timeLimit(.minutes(5)))
    func keepsTokensOfAnEarlierVersionClaimed() async throws {
        func hex(_ bytes: [UInt8]) -> String { bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() }
        let time = "0000000001020304"
        let token = hex(try #require(Claim.sample("B", token: 1).token).bytes)
        let twin = hex(try #require(Claim.sample("B", token: 2).token).bytes)
        try await PostgresSchema.with { schema in
            try schema.run(
                "CREATE TABLE payrelay_tables (one bigint PRIMARY KEY, version bigint NOT NULL);"
                    + "INSERT INTO payrelay_tables VALUES (1, 3);"
                    + PostgresMigrations.all.prefix(3).joined(separator: "\n"))
            func insert(_ reference: String, _ digest: String) throws {
                try schema.run(
                    """
                    INSERT INTO payment (merchant_reference, state, command, amount, currency, fingerprint,
                        apple_transaction_identifier, claimed_at, lease_number, lease_expires_at, entries, token_digest)
                    VALUES ('\(reference)', 'captured', 'PURCHASE', 7, 'AED', '\\x00', '', 5, 0, 0, 1, '\\x\(digest)')
                    """)
            }
            try insert("A", time + token)
            try insert("C", twin)
            try insert("D", time + twin)
            let journal = try await schema.journal()
            #expect(try await journal.claim(.sample("B", token: 1)) == .tokenTaken)
            #expect(try await journal.claim(.sample("B", token: 2)) == .tokenTaken)
            #expect(try await journal.claim(.sample("B", token: 3)) == .claimed)
            #expect(throws: PostgresError.self) { try insert("F", time + String(repeating: "ab", count: 32)) }
        }
    }

    @Test(.timeLimit(.minutes(5))) func refusesTablesOfANewerVersion() async throws {
        try await PostgresSchema.with { schema in
            _ = try await schema.journal()
            try schema.run("UPDATE payrelay_tables SET version = 99")
            let known = PostgresMigrations.all.count
            await #expect(throws: PostgresError.newerTables(version: 99, known: known)) { try await schema.journal() }
        }
    }

    @Test(.timeLimit(.minutes(5))) func fillsTheBooksFromTheHistory() async throws {
        try await PostgresSchema.with { schema in
            try schema.run(
                "CREATE TABLE payrelay_tables (one bigint PRIMARY KEY, version bigint NOT NULL);"
                    + "INSERT INTO payrelay_tables VALUES (1, 5);"
                    + PostgresMigrations.all.prefix(5).joined(separator: "\n"))
            let payments = ["A", "B", "C", "D", "E"].map {
                "('\($0)', 'captured', 'PURCHASE', 7, 'AED', '', '', 5, 0, 0, 1, 'one')"
            }
            try schema.run(
                """
                INSERT INTO payment (merchant_reference, state, command, amount, currency, fingerprint,
                    apple_transaction_identifier, claimed_at, lease_number, lease_expires_at, entries, account)
                    VALUES \(payments.joined(separator: ", "));
                INSERT INTO history (merchant_reference, entry, at, state, captured, refunded) VALUES 
                    ('A', 1, 1800000000000, 'processing', 0, 0), ('A', 2, 1800000001000, 'partially_captured', 3, 0),
                    ('A', 3, 1800000002000, 'captured', 7, 0), ('A', 4, 1800000003000, 'captured', 7, 0),
                    ('A', 5, 1800000004000, 'partially_refunded', 7, 2),
                    ('B', 1, 1800000000000, 'authorized', 0, 0), ('B', 2, 1800000001000, 'voided', 0, 0),
                    ('B', 3, 1800000002000, 'voided', 0, 0),
                    ('C', 1, 1800000000000, 'captured', 5, 0), ('C', 2, 1800000001000, 'processing', 0, 0),
                    ('C', 3, 1800000002000, 'captured', 7, 0),
                    ('D', 1, 1800000000000, 'captured', 0, 0), ('D', 2, 1800000001000, 'refunded', 0, 0),
                    ('E', 1, 1800000000000, 'captured', 9223372036854775807, 0), ('E', 2, 1800000001000, 'captured', -9, 0),
                    ('E', 3, 1800000002000, 'captured', 7, 9223372036854775807);
                """)
            try await expectFilledBooks(of: schema.journal())
        }
    }
}
