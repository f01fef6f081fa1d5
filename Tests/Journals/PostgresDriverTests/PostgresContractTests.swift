import JournalContract
import PostgresDriver
import SQLJournal
import TestPostgres
import Testing

@Suite(.enabled(if: PostgresServer.isAvailable, "PostgreSQL's server programs are not installed"))
struct PostgresContractTests {
    @Test(.timeLimit(.minutes(25)), arguments: JournalPromise.all)
    func keeps(promise: JournalPromise) async throws {
        try await PostgresSchema.with { try await promise.check($0.journal()) }
    }

    /// Distributed databases abort one of two transactions that collide. PostgreSQL's default lets the second transaction wait.
    @Test(.timeLimit(.minutes(25)), arguments: JournalPromise.all)
    func keepsOnADatabaseThatAbortsCollidingTransactions(promise: JournalPromise) async throws {
        try await PostgresSchema.with(options: ["default_transaction_isolation=serializable"]) {
            try await promise.check($0.journal())
        }
    }
}
