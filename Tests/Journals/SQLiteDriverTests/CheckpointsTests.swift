import Foundation
import SQLJournal
import TestPrograms
import Testing

@testable import SQLiteDriver

@Suite struct CheckpointsTests {
    private let folder: TemporaryFolder
    private var path: String { folder.path("journal.sqlite") }
    private static let insert = Statement("insert_page", "INSERT INTO page VALUES ($1, zeroblob(4000))")

    init() throws {
        folder = try TemporaryFolder()
    }

    private func makeDriver() throws -> SQLiteDriver {
        let driver = try SQLiteDriver(path: path)
        try SQLiteConnection(path: path).run(script: "CREATE TABLE page (number INTEGER PRIMARY KEY, content BLOB)")
        return driver
    }

    /// Writes rows that take a page each, 32 at a time.
    private func write(_ numbers: Range<Int>, through driver: SQLiteDriver) async throws {
        for start in stride(from: numbers.lowerBound, to: numbers.upperBound, by: 32) {
            try await withThrowingTaskGroup { group in
                for number in start..<min(start + 32, numbers.upperBound) {
                    group.addTask { _ = try await driver.write(Self.insert, [.integer(number)]) }
                }
                try await group.waitForAll()
            }
        }
    }

    /// Returns the number of rows that are left if the log is lost.
    private func rowsWithoutLog() throws -> Int {
        let copy = folder.path("\(UUID().uuidString).sqlite")
        try FileManager.default.copyItem(atPath: path, toPath: copy)
        let row = try SQLiteConnection(path: copy).run("SELECT count(*) AS count FROM page", []).rows.first
        return try #require(row).integer("count")
    }

    @Test func checkpointsWithoutTheWriter() async throws {
        let driver = try makeDriver()
        try await write(0..<Checkpoints.writesTogether - 1, through: driver)
        #expect((try? rowsWithoutLog()) ?? 0 == 0)
        try await write(Checkpoints.writesTogether - 1..<Checkpoints.writesTogether, through: driver)
        let deadline = ContinuousClock.now + .seconds(300)
        // A copy that is made during a checkpoint may be unusable.
        while (try? rowsWithoutLog()) != Checkpoints.writesTogether, ContinuousClock.now < deadline {
            try await Task.sleep(for: .milliseconds(20))
        }
        #expect(try rowsWithoutLog() == Checkpoints.writesTogether)
    }

    @Test("The WAL stays bounded while writes arrive, however busy the machine is", arguments: [false, true])
    func keepsTheWALBoundedWhileWritesArrive(isCheckpointHeldUp: Bool) async throws {
        let driver = try makeDriver()
        let reader = isCheckpointHeldUp ? try heldUpReader() : nil
        try await write(0..<2 * Checkpoints.walLimit, through: driver)
        try reader?.run(script: "ROLLBACK")
        try await write(2 * Checkpoints.walLimit..<8 * Checkpoints.walLimit, through: driver)
        // If only the checkpointing thread emptied the log, its size would be eight times the limit, or the size of all that
        // was written.
        let size = try #require(FileManager.default.attributesOfItem(atPath: path + "-wal")[.size] as? Int)
        #expect(size < 4_120 * 5 * Checkpoints.walLimit, "\(size) bytes")
    }

    /// Opens a connection with an old snapshot. No checkpoint moves a write that followed the snapshot.
    private func heldUpReader() throws -> SQLiteConnection {
        let reader = try SQLiteConnection(path: path)
        try reader.run(script: "BEGIN; SELECT count(*) FROM page")
        return reader
    }
}
