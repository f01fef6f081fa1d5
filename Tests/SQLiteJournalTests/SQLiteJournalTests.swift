import Foundation
import PaymentRelay
import SQLiteJournal
import Testing

@Suite struct SQLiteJournalTests {
    @Test func whatWasWrittenIsThereAfterTheJournalIsOpenedAgain() async throws {
        let path = temporaryPath()
        let claim = Claim.sample("A", token: 1)
        do {
            _ = try await SQLiteJournal(path: path).claim(claim)
        }
        let reopened = try SQLiteJournal(path: path)
        #expect(try await reopened.payment("A") == claim.payment)
        #expect(try await reopened.openPayments(limit: 1).count == 1)
    }

    @Test func aSecondProcessIsKeptOffTheFileAndToldWhy() throws {
        let path = temporaryPath()
        let first = try SQLiteJournal(path: path)
        let error = #expect(throws: SQLiteJournalError.self) { try SQLiteJournal(path: path) }
        #expect(error?.description.contains("another payrelay process") == true)
        withExtendedLifetime(first) {}
    }

    @Test func aPlaceThatCannotBeWrittenIsNamed() throws {
        let error = #expect(throws: SQLiteJournalError.self) {
            try SQLiteJournal(path: "/no/such/folder/journal.sqlite")
        }
        #expect(error?.description.contains("/no/such/folder/journal.sqlite") == true)
    }

    @Test func anotherSQLiteReadsTheFileWhileItIsOpen() async throws {
        let path = temporaryPath()
        let journal = try SQLiteJournal(path: path)
        _ = try await journal.claim(.sample("A", token: 1))
        let sqlite = Process()
        sqlite.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        sqlite.arguments = [
            "python3", "-c",
            """
            import sqlite3, sys
            database = sqlite3.connect(sys.argv[1])
            print(database.execute("SELECT merchant_reference, state FROM payment").fetchall())
            print(database.execute("PRAGMA journal_mode").fetchone(), database.execute("PRAGMA integrity_check").fetchone())
            """, path,
        ]
        let output = Pipe()
        sqlite.standardOutput = output
        try sqlite.run()
        sqlite.waitUntilExit()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        #expect(text == "[('A', 'processing')]\n('wal',) ('ok',)\n")
    }
}
