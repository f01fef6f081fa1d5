import Foundation
import JournalContract
import PaymentRelay
import SQLJournal
import TestPrograms
import Testing

@testable import SQLiteDriver

/// The files of a journal: their owner, and the outcome of writes if a file is missing.
@Suite struct JournalFilesTests {
    private let folder: TemporaryFolder
    private var path: String { folder.path("journal.sqlite") }

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test("S12: every commit waits for the disk") func syncsEveryCommitToTheDisk() async throws {
        let owner = try SQLiteDriver(path: path)
        let visitor = try SQLiteDriver(attachingTo: path)
        let full = 2
        for driver in [owner, visitor] {
            let row = try #require(try await driver.write(Statement(nil, "PRAGMA synchronous"), []).rows.first)
            #expect(try row.integer("synchronous") == full)
        }
    }

    @Test func refusesASecondProcess() throws {
        let first = try SQLJournal(path: path)
        let error = #expect(throws: SQLiteJournalError.self) { try SQLJournal(path: path) }
        #expect(error?.description.contains("another payrelay process") == true)
        withExtendedLifetime(first) {}
    }

    @Test("a lock ends with its journal, though a child process has copies of the descriptors")
    func endsItsLocks() throws {
        var copies: [Int32] = []
        defer { for copy in copies { close(copy) } }
        do {
            let file = try JournalFile(path: path)
            let locked = [path, path + ".lock"].map { JournalFile.Identity(at: $0) }
            // All descriptors must be listed before the first copy, which would be one more descriptor.
            let descriptors = (Int32(0)..<65_536).filter { descriptor in
                var status = stat()
                return fstat(descriptor, &status) == 0 && locked.contains(JournalFile.Identity(status))
            }
            copies = descriptors.map { dup($0) }
            withExtendedLifetime(file) {}
        }
        #expect(copies.count == 2)
        _ = try JournalFile(path: path)
    }

    @Test func refusesAFileWithTwoNames() throws {
        try Data().write(to: URL(filePath: path))
        try FileManager.default.linkItem(atPath: path, toPath: folder.path("other.sqlite"))
        let error = #expect(throws: SQLiteJournalError.self) { try SQLJournal(path: folder.path("other.sqlite")) }
        #expect(error?.description.contains("hard links") == true)
        let visit = #expect(throws: SQLiteJournalError.self) {
            try SQLJournal(attachingTo: folder.path("other.sqlite"))
        }
        #expect(visit?.description.contains("hard links") == true)
    }

    @Test("S12, S16: while a file is gone every write fails", arguments: ["", "-wal", "-shm"])
    func failsEveryWriteWhileAFileIsGone(suffix: String) async throws {
        let journal = try SQLJournal(path: path)
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
        #expect(try await journal.claim(.sample("B", token: 2)) == .written)
    }

    @Test("S12, S16: after a file was replaced every write fails", arguments: ["", "-wal", "-shm"])
    func failsEveryWriteAfterAFileWasReplaced(suffix: String) async throws {
        let journal = try SQLJournal(path: path)
        try FileManager.default.copyItem(atPath: path + suffix, toPath: folder.path("copy"))
        #expect(rename(folder.path("copy"), path + suffix) == 0)
        let error = await #expect(throws: JournalError.self) { try await journal.claim(.sample("B", token: 2)) }
        #expect(error?.description.hasSuffix(": the file was replaced by another one") == true)
        await #expect(throws: JournalError.self) { try await journal.checkDurability() }
    }

    /// The first read opens a connection by the path.
    @Test("while a file is gone nothing is read from another one", arguments: ["", "-wal", "-shm"])
    func readsFromNoOtherFile(suffix: String) async throws {
        let journal = try SQLJournal(path: path)
        let other = folder.path("other")
        try FileManager.default.copyItem(atPath: path, toPath: other)
        _ = try await journal.claim(.sample("A", token: 1))
        try await journal.purge(at: .wholeSecond)
        let away = folder.path("away")
        try FileManager.default.moveItem(atPath: path + suffix, toPath: away)
        await #expect(throws: JournalError.self) { try await journal.payment("A") }
        #expect(!FileManager.default.fileExists(atPath: path + suffix))
        try FileManager.default.moveItem(atPath: other, toPath: path + suffix)
        await #expect(throws: JournalError.self) { try await journal.payment("A") }
        #expect(rename(away, path + suffix) == 0)
        #expect(try await journal.payment("A") != nil)
        #expect(try await journal.claim(.sample("B", token: 2)) == .written)
    }

    @Test("a reader that failed is opened again") func opensAReaderAgain() throws {
        var opened = 0
        let reader = SQLiteSession(isReader: true) { () throws(SQLiteError) in
            opened += 1
            return try SQLiteConnection(path: ":memory:")
        }
        let one = [(statement: Statement("one", "SELECT 1 AS one"), values: [Value]())]
        for _ in 1...2 { #expect(try reader.runTogether(one).count == 1) }
        #expect(opened == 1)
        #expect(throws: StatementFailure.self) { try reader.runTogether([(Statement(nil, "SELECT none"), [])]) }
        #expect(try reader.runTogether(one).count == 1)
        #expect(opened == 2)
    }

    @Test("S12: a commit to a file that was removed meanwhile fails") func failsACommitToAFileThatWasRemovedMeanwhile()
        async throws
    {
        // The write waits for another connection's lock between its two checks. If it came too late for that, the test tries
        // again.
        for wait in 1...10 {
            let path = folder.path("removed-\(wait).sqlite")
            let journal = try SQLJournal(path: path)
            let other = try SQLiteConnection(path: path)
            try other.run(script: "BEGIN IMMEDIATE")
            let hasBegun = DispatchSemaphore(value: 0)
            let claim = Task {
                hasBegun.signal()
                return try await journal.claim(.sample("A", token: 1))
            }
            // There must be no await here: on a busy machine the test might continue only after the write has stopped waiting
            // for the lock.
            func remove() throws {
                hasBegun.wait()
                usleep(UInt32(100_000 * wait))
                try FileManager.default.removeItem(atPath: path)
                try other.run(script: "ROLLBACK")
            }
            try remove()
            await #expect(throws: JournalError.self) { try await claim.value }
            if try !other.run("SELECT 1 FROM payment", []).rows.isEmpty { return }
        }
        Issue.record("no write was committed to the file that was removed")
    }

    @Test func savesALostWALIntoTheDatabase() async throws {
        let journal = try SQLJournal(path: path)
        _ = try await journal.claim(.sample("A", token: 1))
        try FileManager.default.removeItem(atPath: path + "-wal")
        await #expect(throws: JournalError.self) { try await journal.checkDurability() }
        // The copy is the state that a new process would find if this process were killed.
        let copy = folder.path("copy.sqlite")
        try FileManager.default.copyItem(atPath: path, toPath: copy)
        #expect(try await SQLJournal(path: copy).payment("A") != nil)
    }

    @Test("S16: a durability check writes no less than a claim") func writesAsMuchForADurabilityCheckAsForAClaim()
        async throws
    {
        let journal = try SQLJournal(path: path)
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

    private func logSize() throws -> Int {
        try #require(FileManager.default.attributesOfItem(atPath: path + "-wal")[.size] as? Int)
    }

    @Test("S1: a purge leaves nothing in the log, and the next writes begin it anew") func emptiesTheLog() async throws
    {
        let journal = try SQLJournal(path: path)
        for number in 0..<3 {
            _ = try await journal.claim(.sample("\(number)", token: number))
            #expect(try logSize() > 0)
            try await journal.purge(at: .wholeSecond)
            #expect(try logSize() == 0)
            try await journal.checkDurability()
        }
        for number in 0..<3 { #expect(try await journal.payment("\(number)") != nil) }
    }

    @Test("S1: a purge that a reader prevents fails, and succeeds after it") func failsAPurgeThatAReaderPrevents()
        async throws
    {
        let journal = try SQLJournal(path: path)
        _ = try await journal.claim(.sample("A", token: 1))
        do {
            let snapshot = try SQLiteConnection(path: path)
            try snapshot.run(script: "BEGIN; SELECT count(*) FROM payment")
            _ = try await journal.claim(.sample("B", token: 2))
            await #expect(throws: JournalError.self) { try await journal.purge(at: .wholeSecond) }
            #expect(try await journal.claim(.sample("C", token: 3)) == .written)
            withExtendedLifetime(snapshot) {}
        }
        try await journal.purge(at: .wholeSecond)
        #expect(try logSize() == 0)
    }

    @Test("S16: a log that other processes empty while it is being written is not damaged")
    func writesWhileOthersEmptyTheLog()
        async throws
    {
        let journal = try SQLJournal(path: path)
        let program = try TestProgram([
            "python3", "-c",
            """
            import sqlite3, sys, time
            database = sqlite3.connect(sys.argv[1], timeout=5)
            while True:
                time.sleep(0.001)
                database.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
            """, path,
        ])
        var emptied = 0
        var number = 0
        while emptied < 20, number < 20_000 {
            number += 1
            #expect(try await journal.claim(.sample("P-\(number)", token: number)) == .written)
            // Every other claim may arrive while the log is being emptied, and the next claim after that.
            if number % 2 == 0 { try await Task.sleep(for: .milliseconds(3)) }
            if try logSize() == 0 { emptied += 1 }
            try #require(program.isRunning)
        }
        #expect(emptied == 20)
        for number in 1...number { #expect(try await journal.payment("P-\(number)") != nil) }
    }

    @Test func makesFilesForTheirOwnerAlone() throws {
        let journal = try SQLJournal(path: path)
        for suffix in ["", "-wal", "-shm", ".lock"] {
            let mode = try FileManager.default.attributesOfItem(atPath: path + suffix)[.posixPermissions] as? Int
            #expect(mode == 0o600, "\(suffix)")
        }
        #expect(SQLiteDriver.filesOpenToOthers(path: path) == [])
        #expect(chmod(path, 0o640) == 0)
        #expect(SQLiteDriver.filesOpenToOthers(path: path) == [path])
        withExtendedLifetime(journal) {}
    }

    @Test func keepsTheOwnersLocksWhenAReaderCloses() async throws {
        let owner = try SQLJournal(path: path)
        _ = try await owner.claim(.sample("A", token: 1))
        #expect(throws: SQLiteJournalError.self) { try SQLJournal(path: path) }
        let visit = """
            import sqlite3, sys
            database = sqlite3.connect(sys.argv[1])
            database.execute("SELECT count(*) FROM payment").fetchall()
            database.close()
            """
        #expect(try FinishedProgram(["python3", "-c", visit, path]).succeeded)
        // The last connection that closes would checkpoint the WAL and delete it.
        #expect(FileManager.default.fileExists(atPath: path + "-wal"))
        #expect(try await owner.claim(.sample("B", token: 2)) == .written)
    }

    @Test("a relay begins no journal if an earlier one is missing, and a restore may", arguments: [false, true])
    func refusesToBeginALostJournalAnew(isEmpty: Bool) throws {
        // The file is left from a start that ended before it made tables.
        try folder.file("journal.sqlite.lock", "")
        _ = try SQLJournal(path: path)
        try FileManager.default.removeItem(atPath: path)
        if isEmpty { try folder.file("journal.sqlite", "") }
        let relay = #expect(throws: SQLiteJournalError.self) { try SQLJournal(path: path) }
        let command = #expect(throws: SQLiteJournalError.self) { try SQLJournal(attachingTo: path) }
        for error in [relay, command] { #expect(error?.reason.contains("delete \(path).lock") == true) }
        #expect(FileManager.default.fileExists(atPath: path) == isEmpty)

        let restored = folder.path("restored.sqlite")
        try folder.file("restored.sqlite.lock", "1")
        _ = try SQLiteDriver.target(restored)
        #expect(FileManager.default.fileExists(atPath: restored))
    }

    @Test func namesAPathThatCannotBeWritten() throws {
        let error = #expect(throws: SQLiteJournalError.self) {
            try SQLJournal(path: "/no/such/folder/journal.sqlite")
        }
        #expect(error?.description.contains("/no/such/folder/journal.sqlite") == true)
    }

    @Test func letsAnotherSQLiteReadTheFile() async throws {
        let journal = try SQLJournal(path: path)
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
