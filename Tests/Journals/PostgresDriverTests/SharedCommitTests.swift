import Foundation
import JournalContract
import PaymentRelay
import SQLJournal
import TestPostgres
import Testing

@testable import PostgresDriver

/// Statements that wait for a connection share a commit. Each has the outcome that it would have by itself.
@Suite(.enabled(if: PostgresServer.canBeStarted, "PostgreSQL's server programs are not installed"))
struct SharedCommitTests {
    typealias Outcome = Result<CommitResult, JournalError>

    /// Makes claims wait for the one connection that shares commits, which then takes them together.
    ///
    /// - Parameters:
    ///   - connections: The number of connections, from one to three.
    ///   - before: Runs while the claims wait.
    ///   - meanwhile: Runs once the claims are under way.
    private func outcomes(
        of claims: [Change], in schema: PostgresSchema, connections: Int = 1, before: () throws -> Void = {},
        meanwhile: () async throws -> Void = {}
    ) async throws -> [Outcome] {
        let driver = try await schema.driver {
            $0.connections = connections
        }
        let journal = SQLJournal(driver)
        _ = try await journal.claim(.sample("first", token: 0))
        let rival = try schema.session()
        try rival.hold("SELECT FROM payment WHERE merchant_reference = 'first' FOR UPDATE")
        let entry = HistoryEntry(at: .wholeSecond, state: .captured)
        let moved = Task {
            try await journal.transition("first", from: .processing, receipt: nil, because: entry)
        }
        _ = try await schema.waitingBackends()
        return try await withThrowingTaskGroup(of: (Int, Outcome).self) { group in
            for (place, claim) in claims.enumerated() {
                group.addTask {
                    do throws(JournalError) {
                        return (place, .success(try await journal.claim(claim)))
                    } catch {
                        return (place, .failure(error))
                    }
                }
            }
            while driver.pool.waitingCount < claims.count { try await Task.sleep(for: .milliseconds(5)) }
            try before()
            try rival.letGo()
            try await meanwhile()
            let found = try await group.reduce(into: [Int: Outcome]()) { $0[$1.0] = $1.1 }
            #expect(try await moved.value)
            return found.sorted { $0.key < $1.key }.map(\.value)
        }
    }

    private func samples(_ count: Int) -> [Change] { (1...count).map { .sample("\($0)", token: $0, key: "\($0)") } }

    @Test("claims that wait together are written in one transaction", .timeLimit(.minutes(25)))
    func sharesACommit() async throws {
        try await PostgresSchema.with(on: PostgresServer()) { schema in
            let outcomes = try await outcomes(of: samples(20), in: schema)
            #expect(outcomes == Array(repeating: .success(.written), count: 20))
            let transactions = try schema.run(
                "SELECT DISTINCT xmin::text AS id FROM payment WHERE merchant_reference <> 'first'")
            #expect(transactions.count == 1)
        }
    }

    @Test("one that the server refuses takes no other with it", .timeLimit(.minutes(25)))
    func isRefusedAlone() async throws {
        try await PostgresSchema.with(on: PostgresServer()) { schema in
            // The server does not accept a text with NUL.
            let refused = Change.sample("no\0text", token: 10)
            let outcomes = try await outcomes(of: samples(5) + [refused] + samples(9).suffix(4), in: schema)
            #expect(outcomes.filter { $0 == .success(.written) }.count == 9)
            guard case .failure(.unavailable) = outcomes[5] else {
                Issue.record("it ended as \(outcomes[5])")
                return
            }
            #expect(try schema.run("SELECT FROM history").count == 11)
        }
    }

    @Test(
        "R7: of two claims of one reference, one token or one key that share a commit, one is written",
        .timeLimit(.minutes(25)))
    func isClaimedOnce() async throws {
        try await PostgresSchema.with(on: PostgresServer()) { schema in
            let outcomes = try await outcomes(
                of: [
                    .sample("A", token: 1, key: "a"), .sample("A", token: 2, key: "b"),
                    .sample("B", token: 3, key: "c"), .sample("C", token: 3, key: "d"),
                    .sample("D", token: 5, key: "e"), .sample("E", token: 6, key: "e"),
                ], in: schema)
            for pair in [outcomes[0...1], outcomes[2...3], outcomes[4...5]] {
                #expect(pair.filter { $0 == .success(.written) }.count == 1)
            }
            #expect(try schema.run("SELECT FROM payment").count == 4)
        }
    }

    @Test(
        "S12: if the connection is lost before the commit, no statement counts as written", .timeLimit(.minutes(25)))
    func isUnknownOnceTheConnectionIsLost() async throws {
        try await PostgresSchema.with(on: PostgresServer()) { schema in
            _ = try await schema.journal()
            try schema.run(
                """
                CREATE FUNCTION pause() RETURNS trigger AS 'BEGIN PERFORM pg_sleep(600); RETURN NEW; END' LANGUAGE plpgsql;
                CREATE TRIGGER pause BEFORE INSERT ON payment FOR EACH ROW WHEN (NEW.merchant_reference = '3')
                    EXECUTE FUNCTION pause()
                """)
            let outcomes = try await outcomes(
                of: samples(4), in: schema,
                meanwhile: {
                    while try schema.run(
                        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event = 'PgSleep'"
                    ).isEmpty { try await Task.sleep(for: .milliseconds(5)) }
                    try schema.run("DROP TRIGGER pause ON payment")
                })
            for outcome in outcomes {
                if case .failure(.outcomeUnknown) = outcome { continue }
                Issue.record("it ended as \(outcome)")
            }
            #expect(try schema.run("SELECT FROM payment").count == 1)
            let journal = try await schema.journal()
            #expect(try await journal.claim(.sample("3", token: 3, key: "3")) == .written)
        }
    }

    @Test("one that waits for another transaction keeps no other from its commit", .timeLimit(.minutes(25)))
    func waitsAlone() async throws {
        try await PostgresSchema.with(on: PostgresServer()) { schema in
            let rival = try schema.session()
            let outcomes = try await outcomes(of: samples(4), in: schema, connections: 3) {
                try rival.hold(
                    "\(PostgresSchema.row("3"))")
            } meanwhile: {
                while try schema.run("SELECT FROM payment").count < 4 { try await Task.sleep(for: .milliseconds(5)) }
                try rival.letGo()
            }
            #expect(outcomes == Array(repeating: .success(.written), count: 4))
        }
    }

    /// If two transactions wait for each other, this server notices only after ten minutes.
    @Test(
        "R7: each of a few tokens that come under many references at once to two instances is claimed once",
        .timeLimit(.minutes(25)))
    func claimsEachTokenOnce() async throws {
        try await PostgresSchema.with(on: PostgresServer(), options: ["deadlock_timeout=10min"]) { schema in
            let settings = { (settings: inout PostgresSettings) in settings.connections = 8 }
            let journals = [try await schema.journal(settings), try await schema.journal(settings)]
            for round in 0..<10 {
                let claimed = try await withThrowingTaskGroup(of: Int?.self) { group in
                    for number in 0..<160 {
                        // The order of the references is independent of the order of the tokens.
                        let token = 20 * round + number * 7 % 20
                        let claim = Change.sample(UUID().uuidString, token: token, key: "\(round) \(number)")
                        group.addTask { try await journals[number % 2].claim(claim) == .written ? token : nil }
                    }
                    return try await group.reduce(into: [Int]()) { if let token = $1 { $0.append(token) } }
                }
                #expect(claimed.sorted() == Array(20 * round..<20 * round + 20))
            }
        }
    }
}
