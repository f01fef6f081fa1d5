import JournalContract
import SQLiteJournal
import TestPrograms
import Testing

@Suite struct SQLiteContractTests {
    @Test(arguments: JournalPromise.all)
    func keeps(promise: JournalPromise) async throws {
        let folder = try TemporaryFolder()
        try await promise.check(SQLiteJournal(path: folder.path("journal.sqlite")))
    }
}
