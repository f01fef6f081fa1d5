import Foundation
import JournalContract
import PaymentRelay
import SQLJournal
import TestPrograms
import Testing

@testable import SQLiteDriver

/// A backup is complete and shows the journal at one moment, or it does not exist.
@Suite struct SQLiteBackupTests {
    private let folder: TemporaryFolder
    private var path: String { folder.path("journal.sqlite") }
    private var backup: String { folder.path("backup.sqlite") }

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test("R5: a backup that is made while payments are recorded holds one state of the journal")
    func holdsOneStateWhilePaymentsAreRecorded() async throws {
        let journal = try SQLJournal(path: path)
        for number in 0..<300 { _ = try await journal.claim(.sample("first-\(number)", token: number)) }
        let writer = Task {
            var number = 300
            while !Task.isCancelled {
                let reference = "meanwhile-\(number)"
                _ = try await journal.claim(.sample(reference, token: number))
                let entry = HistoryEntry(at: .wholeSecond, state: .declined)
                _ = try await journal.transition(reference, from: .processing, receipt: [1], because: entry)
                number += 1
            }
            return number
        }
        for round in 1...5 {
            let file = folder.path("backup-\(round).sqlite")
            let contents = try SQLiteBackup(of: path, to: file).make()
            let check = try JournalVerification(of: SQLiteDriver.snapshot(of: file))
            #expect(check.findings == [] && check.isBackup && check.contents == contents)
            #expect((contents.rows.first { $0.table == "payment" }?.count ?? 0) >= 300)
            let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
            #expect(mode == 0o600)
        }
        writer.cancel()
        let count = try await writer.value
        let last = try SQLiteBackup(of: path, to: backup).make()
        #expect(last.rows.first { $0.table == "payment" }?.count == count)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(!names.contains { $0.contains("unfinished") || $0.hasPrefix("backup.sqlite-") })
    }

    @Test("A journal that was restored from a backup is that of the backup, and takes payments")
    func isRestored() async throws {
        _ = try await SQLJournal(path: path).claim(.sample("A", token: 1))
        let contents = try SQLiteBackup(of: path, to: backup).make()
        let restored = folder.path("restored.sqlite")
        let copy = try JournalCopy(from: SQLiteDriver.source(backup), to: SQLiteDriver.target(restored)).run()
        #expect(copy == contents)
        let journal = try SQLJournal(path: restored)
        #expect(try await journal.claim(.sample("B", token: 1)) != .written, "the token is spent")
        #expect(try await journal.claim(.sample("B", token: 2)) == .written)
        // A backup that is put in the journal's place works as a journal.
        #expect(try await SQLJournal(path: backup).payment("A") != nil)
    }

    @Test("Nothing is overwritten", arguments: ["file", "link", "folder", "journal"])
    func overwritesNothing(kind: String) async throws {
        // The journal must stay open: when it is closed, SQLite moves its log into the file.
        let journal = try SQLJournal(path: path)
        _ = try await journal.claim(.sample("A", token: 1))
        let before = try Data(contentsOf: URL(filePath: path))
        var target = backup
        switch kind {
        case "file": try folder.file("backup.sqlite", "mine")
        case "link":
            try FileManager.default.createSymbolicLink(atPath: backup, withDestinationPath: folder.path("gone"))
        case "folder": try FileManager.default.createDirectory(atPath: backup, withIntermediateDirectories: false)
        default: target = path
        }
        let error = #expect(throws: SQLiteJournalError.self) { try SQLiteBackup(of: path, to: target).make() }
        #expect(error?.reason.contains("not overwritten") == true)
        #expect(try Data(contentsOf: URL(filePath: path)) == before)
        #expect(try await journal.payment("A") != nil)
    }

    /// A user who may write to the folder must not be able to make the backup overwrite a journal.
    @Test("An unfinished file that is the journal by another name is left alone", arguments: [false, true])
    func leavesAPlantedFileAlone(isSymbolic: Bool) async throws {
        _ = try await SQLJournal(path: path).claim(.sample("A", token: 1))
        let other = folder.path("other.sqlite")
        _ = try await SQLJournal(path: other).claim(.sample("B", token: 1))
        try waitUntilClosed(journal: other)
        let before = try Data(contentsOf: URL(filePath: other))
        let planted = backup + ".unfinished"
        if isSymbolic {
            try FileManager.default.createSymbolicLink(atPath: planted, withDestinationPath: other)
        } else {
            try FileManager.default.linkItem(atPath: other, toPath: planted)
        }
        #expect(throws: SQLiteJournalError.self) { try SQLiteBackup(of: path, to: backup).make() }
        #expect(try Data(contentsOf: URL(filePath: other)) == before)
        #expect(!FileManager.default.fileExists(atPath: backup))
    }

    @Test("The remains of an interrupted backup are replaced")
    func replacesWhatAnInterruptedBackupLeft() async throws {
        _ = try await SQLJournal(path: path).claim(.sample("A", token: 1))
        try folder.file("backup.sqlite.unfinished", String(repeating: "half ", count: 10_000))
        try folder.file("backup.sqlite.unfinished-journal", "a log of another file")
        try SQLiteBackup(of: path, to: backup).make()
        #expect(try JournalVerification(of: SQLiteDriver.snapshot(of: backup)).findings == [])
    }

    @Test("A damaged journal gives no backup, and verification says so", arguments: [2, 5, 9])
    func aDamagedJournalGivesNoBackup(page: Int) async throws {
        do {
            let journal = try SQLJournal(path: path)
            for number in 0..<200 { _ = try await journal.claim(.sample("first-\(number)", token: number)) }
        }
        try waitUntilClosed(journal: path)
        let file = try FileHandle(forUpdating: URL(filePath: path))
        try file.seek(toOffset: UInt64((page - 1) * 4_096))
        try file.write(contentsOf: Data(repeating: 0x5A, count: 4_096))
        try file.close()
        #expect(throws: (any Error).self) { try SQLiteBackup(of: path, to: backup).make() }
        #expect(!FileManager.default.fileExists(atPath: backup))
        do {
            #expect(try !JournalVerification(of: SQLiteDriver.snapshot(of: path)).findings.isEmpty)
        } catch is SQLiteJournalError {
        } catch is SQLiteError {}
    }

    @Test("A backup whose rows were changed is not in order, and is not restored")
    func noticesAChangedBackup() async throws {
        _ = try await SQLJournal(path: path).claim(.sample("A", token: 1))
        try SQLiteBackup(of: path, to: backup).make()
        try SQLiteConnection(path: backup).run(script: "UPDATE payment SET gateway_reference = '1'")
        let findings = try JournalVerification(of: SQLiteDriver.snapshot(of: backup)).findings
        #expect(findings == ["its rows are not those that the backup had when it was made"])
        let restored = folder.path("restored.sqlite")
        #expect(throws: JournalCopyError.notAsBackedUp) {
            try JournalCopy(from: SQLiteDriver.source(backup), to: SQLiteDriver.target(restored)).run()
        }
        await #expect(throws: (any Error).self) { try await SQLJournal(path: restored).payment("A") }
    }

    @Test func aBackupOfAMissingJournalMakesNone() {
        #expect(throws: SQLiteJournalError.self) { try SQLiteBackup(of: path, to: backup).make() }
        #expect(!FileManager.default.fileExists(atPath: path) && !FileManager.default.fileExists(atPath: backup))
    }
}
