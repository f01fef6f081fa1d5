import JournalContract
import SQLiteJournal
import Testing

@Suite struct SQLiteContractTests {
    @Test(arguments: JournalPromise.all)
    func promiseIsKept(promise: JournalPromise) async throws {
        try await promise.check(SQLiteJournal(path: temporaryPath()))
    }
}
