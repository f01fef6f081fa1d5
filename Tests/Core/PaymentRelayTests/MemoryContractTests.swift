import JournalContract
import PaymentRelay
import Testing

@Suite struct MemoryContractTests {
    @Test(arguments: JournalPromise.all)
    func keeps(promise: JournalPromise) async throws {
        try await promise.check(MemoryJournal())
    }
}
