import Foundation
import JournalContract
import SQLJournal
import TestPrograms
import Testing

@testable import SQLiteDriver

@Suite struct GroupCommitTests {
    private let folder: TemporaryFolder
    private let driver: SQLiteDriver
    private var path: String { folder.path("journal.sqlite") }

    init() throws {
        folder = try TemporaryFolder()
        driver = try SQLiteDriver(path: folder.path("journal.sqlite"))
        try SQLiteConnection(path: folder.path("journal.sqlite")).run(
            script: "CREATE TABLE number (value INTEGER PRIMARY KEY)")
    }

    private static let insert = Statement("insert_number", "INSERT INTO number VALUES ($1)")
    /// A statement that writes a row and then fails.
    private static let strange = Statement(
        "strange_number", "INSERT INTO number VALUES ($1)",
        ["INSERT INTO work VALUES (NULL, '', '', '', 1, 1, 1, 1, 1, '')"])

    private func numbers() throws -> [Int] {
        try SQLiteConnection(path: path).run("SELECT value FROM number ORDER BY value", []).rows
            .map { try $0.integer("value") }
    }

    @Test func undoesAFailedWriteAlone() async throws {
        let failures = await withTaskGroup(of: Bool.self) { group in
            for number in 0..<300 {
                group.addTask { [driver] in
                    let statement = number.isMultiple(of: 3) ? Self.strange : Self.insert
                    return (try? await driver.write(statement, [.integer(number)])) == nil
                }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(failures == 100)
        #expect(try numbers() == (0..<300).filter { !$0.isMultiple(of: 3) })
    }

    @Test("one that a unique constraint refuses counts nothing, writes nothing with it, and undoes no other")
    func countsNothingWhereANumberIsTaken() async throws {
        let followed = Statement(
            "followed_number", "INSERT INTO number VALUES ($1)", ["INSERT INTO number VALUES ($1 + 1000)"])
        let counts = try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 0..<100 {
                group.addTask { [driver] in try await driver.write(followed, [.integer(number / 2)]).count }
            }
            return try await group.reduce(0, +)
        }
        #expect(counts == 50)
        #expect(try numbers() == Array(0..<50) + Array(1_000..<1_050))
    }

    /// The WAL has one frame that ends a transaction for each commit.
    @Test func sharesCommits() async throws {
        await withTaskGroup { group in
            for number in 0..<500 {
                group.addTask { [driver] in _ = try? await driver.write(Self.insert, [.integer(number)]) }
            }
        }
        #expect(try numbers().count == 500)
        let log = Array(try Data(contentsOf: URL(filePath: path + "-wal")))
        let commits = stride(from: 32, to: log.count, by: 24 + 4_096).count { frame in
            log[frame + 4..<frame + 8] != [0, 0, 0, 0]
        }
        #expect(commits < 250, "\(commits) commits for 500 writes at once")
    }

    /// The writer's thread ends when no write waits. It must not miss a write, and must not keep the file.
    @Test(.timeLimit(.minutes(25))) func takesEachOfManyWritesInTurn() async throws {
        for number in 0..<2_000 {
            _ = try await driver.write(Self.insert, [.integer(number)])
            if number.isMultiple(of: 7) { await Task.yield() }
        }
        #expect(try numbers().count == 2_000)
    }

    @Test(.timeLimit(.minutes(25))) func letsGoOfTheFileWithItsLastReference() async throws {
        for _ in 0..<10 {
            let journal = try await nextJournal()
            try await journal.checkDurability()
        }
    }

    /// Opens the next journal. Another thread may hold the previous one for a moment.
    private func nextJournal() async throws -> SQLJournal {
        while true {
            if let journal = try? SQLJournal(path: folder.path("released.sqlite")) { return journal }
            try await Task.sleep(for: .milliseconds(1))
        }
    }

    @Test("S12: no write succeeds before its commit") func returnsNoSuccessBeforeTheCommit() async throws {
        let other = try SQLiteConnection(path: path)
        try other.run(
            script: """
                PRAGMA foreign_keys = ON;
                CREATE TABLE deferred (value INTEGER REFERENCES number DEFERRABLE INITIALLY DEFERRED);
                """)
        // SQLite checks a deferred constraint only at the commit.
        let session = SQLiteSession { other }
        let pool = ConnectionPool([session])
        await #expect(throws: StatementFailure.self) {
            try await pool.run(Statement("deferred", "INSERT INTO deferred VALUES (7)"), [], mayShare: true)
        }
        #expect(try SQLiteConnection(path: path).run("SELECT * FROM deferred", []).rows.isEmpty)
        _ = try await driver.write(Self.insert, [.integer(7)])
        #expect(
            try await pool.run(Statement("deferred", "INSERT INTO deferred VALUES (7)"), [], mayShare: true).count == 1)
    }
}
