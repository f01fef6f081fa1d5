import Foundation
import GRDB
import TestPrograms
import Testing

@testable import SQLiteJournal

@Suite struct CheckpointsTests {
    private let folder: TemporaryFolder
    private var path: String { folder.path("journal.sqlite") }

    init() throws {
        folder = try TemporaryFolder()
    }

    private func makeCommits(_ configuration: Configuration) throws -> GroupCommit {
        let pool = try DatabasePool(path: path, configuration: configuration)
        try pool.write { try $0.execute(sql: "CREATE TABLE page (number INTEGER PRIMARY KEY, content BLOB)") }
        return GroupCommit(pool, checkpoints: try Checkpoints(path: path, configuration: configuration))
    }

    /// Writes rows that take a page each, some at a time.
    private func write(_ numbers: Range<Int>, through commits: GroupCommit) async throws {
        for start in stride(from: numbers.lowerBound, to: numbers.upperBound, by: 32) {
            try await withThrowingTaskGroup { group in
                for number in start..<min(start + 32, numbers.upperBound) {
                    group.addTask {
                        try await commits.write { database in
                            try database.execute(
                                sql: "INSERT INTO page VALUES (?, zeroblob(4000))", arguments: [number])
                        }
                    }
                }
                try await group.waitForAll()
            }
        }
    }

    /// How many rows there are where the log is lost.
    private func rowsWithoutLog() throws -> Int {
        let copy = folder.path("\(UUID().uuidString).sqlite")
        try FileManager.default.copyItem(atPath: path, toPath: copy)
        return try DatabaseQueue(path: copy).read { database in
            guard try database.tableExists("page") else { return 0 }
            return try Int.fetchOne(database, sql: "SELECT count(*) FROM page") ?? 0
        }
    }

    @Test func checkpointsWithoutTheWriter() async throws {
        var configuration = SQLiteJournal.configuration
        configuration.prepareDatabase { try $0.execute(sql: "PRAGMA wal_autocheckpoint = 0") }
        let commits = try makeCommits(configuration)
        try await write(0..<Checkpoints.writesTogether - 1, through: commits)
        #expect(try rowsWithoutLog() == 0)
        try await write(Checkpoints.writesTogether - 1..<Checkpoints.writesTogether, through: commits)
        let deadline = ContinuousClock.now + .seconds(30)
        // A copy that is taken while the log is being moved may be of no use.
        while (try? rowsWithoutLog()) != Checkpoints.writesTogether, ContinuousClock.now < deadline {
            try await Task.sleep(for: .milliseconds(20))
        }
        #expect(try rowsWithoutLog() == Checkpoints.writesTogether)
    }

    @Test("The WAL stays bounded while writes arrive, however busy the machine is", arguments: [false, true])
    func keepsTheWALBoundedWhileWritesArrive(isCheckpointHeldUp: Bool) async throws {
        let commits = try makeCommits(SQLiteJournal.configuration)
        let reader = isCheckpointHeldUp ? try heldUpReader() : nil
        try await write(0..<2 * Checkpoints.walLimit, through: commits)
        try reader?.close()
        try await write(2 * Checkpoints.walLimit..<8 * Checkpoints.walLimit, through: commits)
        // Without the writer's part it would be eight times the limit, or as much as was written.
        let size = try #require(FileManager.default.attributesOfItem(atPath: path + "-wal")[.size] as? Int)
        #expect(size < 4_120 * 5 * Checkpoints.walLimit, "\(size) bytes")
    }

    /// A connection with an old snapshot: no checkpoint moves what was written after it began.
    private func heldUpReader() throws -> DatabaseQueue {
        var configuration = SQLiteJournal.configuration
        configuration.allowsUnsafeTransactions = true
        let reader = try DatabaseQueue(path: path, configuration: configuration)
        try reader.writeWithoutTransaction { database in
            try database.execute(sql: "BEGIN")
            _ = try Int.fetchOne(database, sql: "SELECT count(*) FROM page")
        }
        return reader
    }
}
