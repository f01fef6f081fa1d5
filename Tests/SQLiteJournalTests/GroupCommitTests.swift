import Foundation
import GRDB
import Synchronization
import TestPrograms
import Testing

@testable import SQLiteJournal

@Suite struct GroupCommitTests {
    struct Refused: Error {}

    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func makePool() throws -> DatabasePool {
        let pool = try DatabasePool(path: folder.path("journal.sqlite"))
        try pool.write { try $0.execute(sql: "CREATE TABLE number (value INTEGER PRIMARY KEY)") }
        return pool
    }

    @Test func undoesAFailedWriteAlone() async throws {
        let pool = try makePool()
        let commits = GroupCommit(pool)
        let failures = await withTaskGroup(of: Bool.self) { group in
            for number in 0..<300 {
                group.addTask {
                    do {
                        try await commits.write { database in
                            try database.execute(sql: "INSERT INTO number VALUES (?)", arguments: [number])
                            if number.isMultiple(of: 3) { throw Refused() }
                        }
                        return false
                    } catch {
                        return error is Refused
                    }
                }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(failures == 100)
        let kept = try await pool.read { try Int.fetchAll($0, sql: "SELECT value FROM number ORDER BY value") }
        #expect(kept == (0..<300).filter { !$0.isMultiple(of: 3) })
    }

    @Test func sharesCommits() async throws {
        let pool = try makePool()
        let commits = GroupCommit(pool)
        let counter = CommitCounter()
        pool.add(transactionObserver: counter, extent: .databaseLifetime)
        await withTaskGroup { group in
            for number in 0..<500 {
                group.addTask {
                    try? await commits.write {
                        try $0.execute(sql: "INSERT INTO number VALUES (?)", arguments: [number])
                    }
                }
            }
        }
        let kept = try await pool.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM number") }
        #expect(kept == 500)
        #expect(counter.count < 250, "\(counter.count) commits for 500 writes at once")
    }

    /// The writer's thread waits for the next write: it must neither miss one nor keep the file.
    @Test(.timeLimit(.minutes(5))) func takesEachOfManyWritesInTurn() async throws {
        let commits = GroupCommit(try makePool())
        for number in 0..<2_000 {
            try await commits.write { try $0.execute(sql: "INSERT INTO number VALUES (?)", arguments: [number]) }
            if number.isMultiple(of: 7) { await Task.yield() }
        }
    }

    @Test(.timeLimit(.minutes(5))) func letsGoOfTheFileWithItsLastReference() async throws {
        for _ in 0..<10 {
            let journal = try await nextJournal()
            try await journal.checkDurability()
        }
    }

    /// Another thread may hold the one before for a moment.
    private func nextJournal() async throws -> SQLiteJournal {
        while true {
            if let journal = try? SQLiteJournal(path: folder.path("released.sqlite")) { return journal }
            try await Task.sleep(for: .milliseconds(1))
        }
    }

    @Test("S12: no write succeeds before its commit") func returnsNoSuccessBeforeTheCommit() async throws {
        let pool = try makePool()
        let commits = GroupCommit(pool)
        let breaker = CommitBreaker()
        pool.add(transactionObserver: breaker, extent: .databaseLifetime)
        await #expect(throws: Refused.self) {
            try await commits.write { try $0.execute(sql: "INSERT INTO number VALUES (1)") }
        }
        #expect(try await pool.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM number") } == 0)
    }
}

/// Counts commits.
private final class CommitCounter: TransactionObserver, Sendable {
    private let commits = Mutex(0)

    var count: Int { commits.withLock { $0 } }

    func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { false }
    func databaseDidChange(with event: DatabaseEvent) {}
    func databaseDidCommit(_ db: Database) { commits.withLock { $0 += 1 } }
    func databaseDidRollback(_ db: Database) {}
}

/// Refuses every commit.
private final class CommitBreaker: TransactionObserver {
    func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { true }
    func databaseDidChange(with event: DatabaseEvent) {}
    func databaseWillCommit() throws { throw GroupCommitTests.Refused() }
    func databaseDidCommit(_ db: Database) {}
    func databaseDidRollback(_ db: Database) {}
}
