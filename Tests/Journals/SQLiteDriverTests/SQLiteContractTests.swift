import JournalContract
import SQLJournal
import SQLiteDriver
import TestPrograms
import Testing

@Suite struct SQLiteContractTests {
    @Test(arguments: JournalPromise.all)
    func keeps(promise: JournalPromise) async throws {
        let folder = try TemporaryFolder()
        try await promise.check(SQLJournal(path: folder.path("journal.sqlite")))
    }

    @Test(arguments: JournalPromise.all)
    func keepsInMemory(promise: JournalPromise) async throws {
        try await promise.check(SQLJournal(SQLiteDriver.inMemory()))
    }
}
