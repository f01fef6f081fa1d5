import PayrelayPrimitives
import Foundation
import GRDB
import JournalContract
import PaymentRelay
import TestPrograms
import Testing

@testable import SQLiteJournal

@Suite struct SQLiteJournalTests {
    private let folder: TemporaryFolder
    private var path: String { folder.path("journal.sqlite") }

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test("R5: what was written is there after the journal is opened again") func keepsWhatWasWrittenAfterReopening()
        async throws
    {
        let claim = Claim.sample("A", token: 1)
        do {
            _ = try await SQLiteJournal(path: path).claim(claim)
        }
        let reopened = try await openAgain(path)
        #expect(try await reopened.payment("A") == claim.payment)
        #expect(try await reopened.openPayments(limit: 1).count == 1)
    }

    @Test("R5: leases of an earlier process end when the journal is opened again")
    func freesTheLeasesOfAnEarlierProcess() async throws {
        do {
            _ = try await SQLiteJournal(path: path).claim(.sample("A", token: 1, leasedFor: .seconds(60)))
        }
        let reopened = try await openAgain(path)
        let leased = try await reopened.lease(limit: 1, at: .wholeSecond + 1, until: .wholeSecond + 60)
        #expect(leased.map(\.merchantReference) == ["A"])
    }

    /// A program that another test starts holds the lock as well, between its fork and its exec.
    private func openAgain(_ path: String) async throws -> SQLiteJournal {
        let deadline = ContinuousClock.now + .seconds(30)
        while .now < deadline {
            if let journal = try? SQLiteJournal(path: path) { return journal }
            try await Task.sleep(for: .milliseconds(10))
        }
        return try SQLiteJournal(path: path)
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
        let (token, twin) = (Claim.sample("B", token: 1).token, Claim.sample("B", token: 2).token)
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
                try database.execute(sql: "ALTER TABLE payment DROP COLUMN client")
            }
            try migrations.migrate(newer)
        }
        #expect(throws: SQLiteJournalError(path: path, reason: "a newer payrelay has written to it")) {
            try SQLiteJournal(path: path)
        }
    }

    @Test("R5: an event that an earlier process was sending is due again") func makesEventsOfAnEarlierProcessDueAgain()
        async throws
    {
        do {
            let journal = try SQLiteJournal(path: path)
            _ = try await journal.claim(.sample("A", token: 1))
            let entry = HistoryEntry(at: .wholeSecond, state: .captured, event: [1])
            _ = try await journal.transition("A", from: .processing, receipt: nil, because: entry)
            _ = try await journal.leaseEvents(limit: 1, at: .wholeSecond, until: .wholeSecond + 60)
        }
        let due = try await openAgain(path)
            .leaseEvents(limit: 1, at: .wholeSecond, until: .wholeSecond + 60)
        #expect(due.map(\.attempt) == [2])
    }

    @Test("S12: every commit waits for the disk") func syncsEveryCommitToTheDisk() async throws {
        let owner = try SQLiteJournal(path: path)
        let visitor = try SQLiteJournal(attachingTo: path)
        let full = 2
        for commits in [owner.commits, visitor.commits] {
            #expect(try await commits.write { try Int.fetchOne($0, sql: "PRAGMA synchronous") } == full)
        }
    }

    @Test func refusesASecondProcess() throws {
        let first = try SQLiteJournal(path: path)
        let error = #expect(throws: SQLiteJournalError.self) { try SQLiteJournal(path: path) }
        #expect(error?.description.contains("another payrelay process") == true)
        withExtendedLifetime(first) {}
    }

    @Test func refusesAFileWithTwoNames() throws {
        try Data().write(to: URL(filePath: path))
        try FileManager.default.linkItem(atPath: path, toPath: folder.path("other.sqlite"))
        let error = #expect(throws: SQLiteJournalError.self) { try SQLiteJournal(path: folder.path("other.sqlite")) }
        #expect(error?.description.contains("hard links") == true)
        let visit = #expect(throws: SQLiteJournalError.self) {
            try SQLiteJournal(attachingTo: folder.path("other.sqlite"))
        }
        #expect(visit?.description.contains("hard links") == true)
    }

    @Test("S12, S16: while a file is gone every write fails", arguments: ["", "-wal", "-shm"])
    func failsEveryWriteWhileAFileIsGone(suffix: String) async throws {
        let journal = try SQLiteJournal(path: path)
        _ = try await journal.claim(.sample("A", token: 1))
        let away = folder.path("away")
        try FileManager.default.moveItem(atPath: path + suffix, toPath: away)
        for _ in 1...2 {
            let error = await #expect(throws: JournalError.self) { try await journal.claim(.sample("B", token: 2)) }
            let reason = "journal.sqlite\(suffix) cannot be used: the file is gone"
            guard case .unavailable = error, error?.description.hasSuffix(reason) == true else {
                Issue.record("\(String(describing: error))")
                return
            }
            await #expect(throws: JournalError.self) { try await journal.checkDurability() }
        }
        try FileManager.default.moveItem(atPath: away, toPath: path + suffix)
        try await journal.checkDurability()
        #expect(try await journal.claim(.sample("B", token: 2)) == .claimed)
    }

    @Test("S12, S16: after a file was replaced every write fails", arguments: ["", "-wal", "-shm"])
    func failsEveryWriteAfterAFileWasReplaced(suffix: String) async throws {
        let journal = try SQLiteJournal(path: path)
        try FileManager.default.copyItem(atPath: path + suffix, toPath: folder.path("copy"))
        #expect(rename(folder.path("copy"), path + suffix) == 0)
        let error = await #expect(throws: JournalError.self) { try await journal.claim(.sample("B", token: 2)) }
        #expect(error?.description.hasSuffix(": the file was replaced by another one") == true)
        await #expect(throws: JournalError.self) { try await journal.checkDurability() }
    }

    @Test("S12: a commit to a file that was removed meanwhile fails") func failsACommitToAFileThatWasRemovedMeanwhile()
        async throws
    {
        let journal = try SQLiteJournal(path: path)
        let path = path
        await #expect(throws: SQLiteJournalError.self) {
            try await journal.commits.write { _ in try FileManager.default.removeItem(atPath: path) }
        }
    }

    @Test func savesALostWALIntoTheDatabase() async throws {
        let journal = try SQLiteJournal(path: path)
        _ = try await journal.claim(.sample("A", token: 1))
        try FileManager.default.removeItem(atPath: path + "-wal")
        await #expect(throws: JournalError.self) { try await journal.checkDurability() }
        // As a process finds it that starts after this one was killed.
        let copy = folder.path("copy.sqlite")
        try FileManager.default.copyItem(atPath: path, toPath: copy)
        #expect(try await SQLiteJournal(path: copy).payment("A") != nil)
    }

    @Test("S16: a durability check writes no less than a claim") func writesAsMuchForADurabilityCheckAsForAClaim()
        async throws
    {
        let journal = try SQLiteJournal(path: path)
        func logSize() throws -> Int {
            try #require(FileManager.default.attributesOfItem(atPath: path + "-wal")[.size] as? Int)
        }
        try await journal.checkDurability()
        let before = try logSize()
        try await journal.checkDurability()
        let check = try logSize() - before
        let start = try logSize()
        _ = try await journal.claim(.sample("A", token: 1, key: "key"))
        #expect(try check >= logSize() - start && check > 0)
    }

    @Test func makesFilesForTheirOwnerAlone() throws {
        let journal = try SQLiteJournal(path: path)
        for suffix in ["", "-wal", "-shm", ".lock"] {
            let mode = try FileManager.default.attributesOfItem(atPath: path + suffix)[.posixPermissions] as? Int
            #expect(mode == 0o600, "\(suffix)")
        }
        #expect(SQLiteJournal.filesOpenToOthers(path: path) == [])
        #expect(chmod(path, 0o640) == 0)
        #expect(SQLiteJournal.filesOpenToOthers(path: path) == [path])
        withExtendedLifetime(journal) {}
    }

    @Test func keepsTheOwnersLocksWhenAReaderCloses() async throws {
        let owner = try SQLiteJournal(path: path)
        _ = try await owner.claim(.sample("A", token: 1))
        #expect(throws: SQLiteJournalError.self) { try SQLiteJournal(path: path) }
        let visit = """
            import sqlite3, sys
            database = sqlite3.connect(sys.argv[1])
            database.execute("SELECT count(*) FROM payment").fetchall()
            database.close()
            """
        #expect(try FinishedProgram(["python3", "-c", visit, path]).succeeded)
        // A connection that closes as the last one checkpoints the WAL and deletes it.
        #expect(FileManager.default.fileExists(atPath: path + "-wal"))
        #expect(try await owner.claim(.sample("B", token: 2)) == .claimed)
    }

    @Test func namesAPathThatCannotBeWritten() throws {
        let error = #expect(throws: SQLiteJournalError.self) {
            try SQLiteJournal(path: "/no/such/folder/journal.sqlite")
        }
        #expect(error?.description.contains("/no/such/folder/journal.sqlite") == true)
    }

    @Test func letsAnotherSQLiteReadTheFile() async throws {
        let journal = try SQLiteJournal(path: path)
        _ = try await journal.claim(.sample("A", token: 1))
        let sqlite = try FinishedProgram([
            "python3", "-c",
            """
            import sqlite3, sys
            database = sqlite3.connect(sys.argv[1])
            print(database.execute("SELECT merchant_reference, state FROM payment").fetchall())
            print(database.execute("PRAGMA journal_mode").fetchone(), database.execute("PRAGMA integrity_check").fetchone())
            """, path,
        ])
        #expect(sqlite.text == "[('A', 'processing')]\n('wal',) ('ok',)\n")
    }
}
