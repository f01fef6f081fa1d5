import Foundation
import GRDB
import JournalContract
import PaymentRelay
import PayrelayPrimitives
import TestPrograms
import Testing

@testable import SQLiteJournal

/// Journals that an earlier version wrote, or a later one.
@Suite struct EarlierVersionTests {
    private let folder: TemporaryFolder
    private var path: String { folder.path("journal.sqlite") }

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test(arguments: ["1 payments and their history", "2 leases"])
    func migratesPaymentsOfAnEarlierVersion(version: String) async throws {
        let path = try await journal(
            of: version,
            holding: """
                INSERT INTO payment (merchant_reference, state, command, amount, currency, fingerprint,
                    apple_transaction_identifier, claimed_at)
                VALUES ('open', 'uncertain', 'PURCHASE', 7, 'AED', x'00', 'ab', 1800000000000),
                    ('taken', 'captured', 'PURCHASE', 7, 'AED', x'00', 'ab', 1800000000000),
                    ('back', 'refunded', 'PURCHASE', 7, 'AED', x'00', 'ab', 1800000000000);
                """)
        let journal = try SQLiteJournal(path: path)
        let leased = try await journal.lease(limit: 9, at: .wholeSecond, until: .wholeSecond + 60)
        #expect(leased.map(\.merchantReference) == ["open"])
        #expect(leased.map(\.lease) == [Lease(number: 1, expiresAt: .wholeSecond + 60)])
        #expect(try await journal.payment("taken")?.balance == Balance(captured: 7))
        #expect(try await journal.payment("back")?.balance == Balance(captured: 7, refunded: 7))
    }

    @Test(arguments: ["1 payments and their history", "2 leases", "3 capture, void and refund"])
    func recordsNoEventsForAnEarlierVersionsHistory(version: String) async throws {
        let path = try await journal(
            of: version,
            holding: """
                INSERT INTO payment (merchant_reference, state, command, amount, currency, fingerprint,
                    apple_transaction_identifier, claimed_at)
                VALUES ('A', 'captured', 'PURCHASE', 7, 'AED', x'00', 'ab', 1800000000000);
                INSERT INTO history (merchant_reference, at, state) VALUES ('A', 1800000000000, 'captured');
                """)
        let journal = try SQLiteJournal(path: path)
        #expect(try await journal.eventSummary() == EventSummary())
        #expect(try await !journal.resendEvents(of: "A", since: .distantPast, at: .wholeSecond))
        let payment = try #require(try await journal.payment("A"))
        let entry = HistoryEntry(at: .wholeSecond, state: .refunded, event: [1])
        #expect(try await journal.compareAndSet(payment, to: payment, because: entry))
        let due = try await journal.leaseEvents(limit: 9, at: .wholeSecond, until: .wholeSecond + 60)
        #expect(due.map(\.number) == [2])
    }

    /// A journal as an earlier version left it.
    private func journal(of version: String, holding rows: String) async throws -> String {
        let old = try DatabaseQueue(path: path)
        try JournalMigrations.all.migrate(old, upTo: version)
        try await old.write { try $0.execute(sql: rows) }
        return path
    }

    @Test(arguments: ["1 payments and their history", "2 leases", "3 capture, void and refund", "4 events"])
    func migratesReceiptsOfAnEarlierVersion(version: String) async throws {
        let path = try await journal(
            of: version,
            holding: """
                INSERT INTO payment (merchant_reference, state, command, amount, currency, fingerprint,
                    apple_transaction_identifier, claimed_at, receipt)
                VALUES ('A', 'captured', 'PURCHASE', 7, 'AED', x'00', 'ab', 1800000000000, x'00ff'),
                    ('B', 'not_sent', 'PURCHASE', 7, 'AED', x'00', 'ab', 1800000000000, NULL);
                INSERT INTO history (merchant_reference, at, state)
                VALUES ('A', 1800000000000, 'processing'), ('B', 1800000000000, 'processing'),
                    ('A', 1800000000000, 'captured'), ('B', 1800000000000, 'not_sent');
                """)
        let journal = try SQLiteJournal(path: path)
        let payment = try #require(try await journal.payment("A"))
        #expect(payment.receipt == [0, 255])
        #expect(try await journal.payment("B")?.receipt == nil)
        var refunded = payment
        refunded.state = .refunded
        refunded.receipt = [1]
        let entry = HistoryEntry(at: .wholeSecond, state: .refunded)
        #expect(try await journal.compareAndSet(payment, to: refunded, because: entry))
        #expect(try await journal.payment("A")?.receipt == [1])
        let receipts = try await journal.pool.read {
            try Data.fetchAll($0, sql: "SELECT receipt FROM history WHERE receipt IS NOT NULL")
        }
        #expect(receipts == [Data([1])], "an earlier receipt is removed when a later one is written")
    }

    /// R13: what an earlier version claimed by a verified token's digest, with the signing time before it, stays
    /// claimed.
    @Test("R13: tokens that an earlier version claimed stay claimed") func keepsTokensOfAnEarlierVersionClaimed()
        async throws
    {
        let token = try #require(Claim.sample("B", token: 1).token)
        let twin = try #require(Claim.sample("B", token: 2).token)
        func hex(_ bytes: [UInt8]) -> String { bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() }
        let path = try await journal(
            of: "5 receipts in the history",
            holding: """
                INSERT INTO payment (merchant_reference, state, command, amount, currency, fingerprint,
                    apple_transaction_identifier, claimed_at, token_digest)
                VALUES ('A', 'captured', 'PURCHASE', 7, 'AED', x'00', 'ab', 1, x'0000000001020304\(hex(token.bytes))'),
                    ('C', 'captured', 'PURCHASE', 7, 'AED', x'00', 'ab', 2, x'\(hex(twin.bytes))'),
                    ('D', 'captured', 'PURCHASE', 7, 'AED', x'00', 'ab', 3, x'0000000001020304\(hex(twin.bytes))'),
                    ('E', 'not_sent', 'PURCHASE', 7, 'AED', x'00', 'ab', 3, NULL);
                """)
        let journal = try SQLiteJournal(path: path)
        #expect(try await journal.claim(.sample("B", token: 1)) == .tokenTaken)
        #expect(try await journal.claim(.sample("B", token: 2)) == .tokenTaken)
        #expect(try await journal.claim(.sample("B", token: 3)) == .claimed)
    }

    /// The column that counts a history's entries has one name in both journals.
    @Test func countsTheEntriesOfAnEarlierVersionOn() async throws {
        let path = try await journal(
            of: "7 durability probe",
            holding: """
                INSERT INTO payment (merchant_reference, state, command, amount, currency, fingerprint,
                    apple_transaction_identifier, claimed_at, version)
                VALUES ('A', 'captured', 'PURCHASE', 7, 'AED', x'00', 'ab', 1800000000000, 2);
                INSERT INTO history (merchant_reference, at, state)
                VALUES ('A', 1800000000000, 'processing'), ('A', 1800000000000, 'captured');
                """)
        let journal = try SQLiteJournal(path: path)
        let payment = try #require(try await journal.payment("A"))
        #expect(payment.version == 2)
        let entry = HistoryEntry(at: .wholeSecond, state: .refunded)
        #expect(try await journal.compareAndSet(payment, to: payment, because: entry))
        #expect(try await journal.payment("A")?.version == 3)
        #expect(try await !journal.compareAndSet(payment, to: payment, because: entry))
    }

    @Test("What an earlier version recorded is found, and counts in the books of its day")
    func findsPaymentsOfAnEarlierVersion() async throws {
        let receipt = """
            {"merchant_reference":"A","fort_id":"149295435400084008","card_number":"411111******1111",\
            "processor_response":{"customer_email":"Sara@Example.com"}}
            """
        let path = try await journal(
            of: "8 entries",
            holding: """
                INSERT INTO payment (merchant_reference, state, command, amount, currency, fingerprint,
                    apple_transaction_identifier, claimed_at, account, captured, entries)
                VALUES ('A', 'partially_refunded', 'PURCHASE', 700, 'AED', x'01', 'ab12', 1800000000000, 'shop', 700, 3),
                    ('B', 'captured', 'PURCHASE', 700, 'AED', x'02', 'cd34', 1800000000001, 'shop', 700, 2);
                UPDATE payment SET refunded = 200 WHERE merchant_reference = 'A';
                INSERT INTO history (merchant_reference, at, state, captured, refunded, receipt)
                VALUES ('A', 1800000000000, 'processing', 0, 0, NULL), ('A', 1800000001000, 'captured', 700, 0, NULL),
                    ('A', 1800000002000, 'partially_refunded', 700, 200, CAST('\(receipt)' AS BLOB)),
                    ('B', 1800000000001, 'processing', 0, 0, NULL), ('B', 1800000001001, 'captured', 700, 0, x'7B7D');
                """)
        let journal = try SQLiteJournal(path: path)
        for key in [
            SearchKey.customerEmail("sara@example.com"), .cardLastFour("1111"), .fortIdentifier("149295435400084008"),
            .appleTransactionIdentifier("ab12"),
        ] {
            var query = PaymentQuery()
            query.keys = [key]
            #expect(try await journal.search(query).payments.map(\.merchantReference) == ["A"], "\(key)")
        }
        let day = Date(timeIntervalSince1970: 1_800_000_000)
        let totals = try await journal.settlement(from: day, until: day + 86_400).totals
        #expect(totals.map(\.charged.amount) == [1_400] && totals.map(\.refunded.amount) == [200])
    }

    @Test("Entries of an earlier version have no source, and what was made elsewhere is listed")
    func guessesNoSourceOfAnEarlierVersion() async throws {
        let path = try await journal(
            of: "11 use of certificates",
            holding: """
                INSERT INTO payment (merchant_reference, state, command, amount, currency, fingerprint,
                    apple_transaction_identifier, claimed_at, entries)
                VALUES ('E', 'captured', 'PURCHASE', 7, 'AED', x'', '', 1800000000000, 1),
                    ('A', 'captured', 'PURCHASE', 7, 'AED', x'00', 'ab', 1800000000000, 1);
                INSERT INTO history (merchant_reference, at, state, request_identifier, event)
                VALUES ('E', 1800000000000, 'captured', 'operator sara 1', x'7b7d'), ('A', 1800000000000, 'captured', 'r', NULL);
                """)
        let journal = try SQLiteJournal(path: path)
        #expect(try await journal.history(of: "E").map(\.source) == [nil])
        #expect(try await journal.history(of: "A").map(\.source) == [nil])
        #expect(try await journal.events(of: "E").map(\.attempts) == [EventProgress.Attempts()])
        let visible = VisiblePayments(of: "shop", includingMadeElsewhere: true)
        let page = try await journal.search(PaymentQuery(visibleTo: .payments(visible)))
        #expect(page.payments.map(\.merchantReference) == ["E"])
    }

    @Test func truncatesTheWALAfterAMigration() async throws {
        let path = try await journal(
            of: "4 events",
            holding: """
                INSERT INTO payment (merchant_reference, state, command, amount, currency, fingerprint,
                    apple_transaction_identifier, claimed_at, receipt)
                VALUES ('A', 'captured', 'PURCHASE', 7, 'AED', x'00', 'ab', 1800000000000, zeroblob(2000000));
                INSERT INTO history (merchant_reference, at, state) VALUES ('A', 1800000000000, 'captured');
                """)
        let journal = try SQLiteJournal(path: path)
        let size = try #require(FileManager.default.attributesOfItem(atPath: path + "-wal")[.size] as? Int)
        #expect(size < 100_000)
        #expect(try await journal.payment("A")?.receipt?.count == 2_000_000)
    }

    @Test func refusesAJournalOfANewerVersion() async throws {
        do {
            let newer = try DatabaseQueue(path: path)
            var migrations = JournalMigrations.all
            migrations.registerMigration("a later one") { database in
                try database.execute(sql: "ALTER TABLE payment DROP COLUMN fingerprint")
            }
            try migrations.migrate(newer)
        }
        #expect(throws: SQLiteJournalError(path: path, reason: "a newer payrelay has written to it")) {
            try SQLiteJournal(path: path)
        }
    }

    @Test func fillsTheBooksFromTheHistory() async throws {
        let payments = ["A", "B", "C", "D", "E"].map {
            "('\($0)', 'captured', 'PURCHASE', 7, 'AED', x'00', 'ab', 1800000000000, 'one')"
        }
        let entries = """
            ('A', 1, 1800000000000, 'processing', 0, 0), ('A', 2, 1800000001000, 'partially_captured', 3, 0),
            ('A', 3, 1800000002000, 'captured', 7, 0), ('A', 4, 1800000003000, 'captured', 7, 0),
            ('A', 5, 1800000004000, 'partially_refunded', 7, 2),
            ('B', 1, 1800000000000, 'authorized', 0, 0), ('B', 2, 1800000001000, 'voided', 0, 0),
            ('B', 3, 1800000002000, 'voided', 0, 0),
            ('C', 1, 1800000000000, 'captured', 5, 0), ('C', 2, 1800000001000, 'processing', 0, 0),
            ('C', 3, 1800000002000, 'captured', 7, 0),
            ('D', 1, 1800000000000, 'captured', 0, 0), ('D', 2, 1800000001000, 'refunded', 0, 0),
            ('E', 1, 1800000000000, 'captured', 9223372036854775807, 0), ('E', 2, 1800000001000, 'captured', -9, 0),
            ('E', 3, 1800000002000, 'captured', 7, 9223372036854775807)
            """.replacing(#/\('(\w)', \d, /#) { "('\($0.1)', " }
        let path = try await journal(
            of: "8 entries",
            holding: """
                INSERT INTO payment (merchant_reference, state, command, amount, currency, fingerprint,
                    apple_transaction_identifier, claimed_at, account) VALUES \(payments.joined(separator: ", "));
                INSERT INTO history (merchant_reference, at, state, captured, refunded) VALUES \(entries);
                """)
        try await expectFilledBooks(of: SQLiteJournal(path: path))
    }
}
