import GRDB
import Synchronization

/// Checkpoints the WAL on a connection of its own. By default SQLite's writer does it, and every write that arrives
/// waits meanwhile.
///
/// The WAL restarts only after a full checkpoint, and while writes arrive that is rarely possible. The writer therefore
/// checkpoints the rest, which is little, with its first commit beyond ``walLimit`` pages that finds no checkpoint
/// running. Where checkpoints are slower than the writes, one is always running: then the writer waits for it and
/// restarts the WAL itself, so that the WAL stays bounded on a machine of any speed.
final class Checkpoints: Sendable {
    private struct State {
        /// Since the last checkpoint began.
        var writes = 0
        var isUnderWay = false
        /// Since the WAL was last seen within its bound. Each write takes a page at least.
        var writesBeyond = 0
    }

    /// In pages of 4 KB.
    static let walLimit = 4_000
    /// How many writes are checkpointed together.
    static let writesTogether = 128

    let database: DatabaseQueue
    private let state = Mutex(State())

    /// - Throws: an error of GRDB's where the file cannot be opened.
    init(path: String, configuration: Configuration) throws {
        database = try DatabaseQueue(path: path, configuration: configuration)
    }

    /// Counts writes that the writer has committed, and checkpoints where that is due.
    ///
    /// - Parameter writer: the connection that wrote; it restarts the WAL where that has become too long.
    func count(_ writes: Int, by writer: Database) {
        let (isDue, isTooLong) = state.withLock { state in
            state.writes += writes
            state.writesBeyond += writes
            let isTooLong = state.writesBeyond >= 2 * Self.walLimit
            if isTooLong { state.writesBeyond = 0 }
            guard state.writes >= Self.writesTogether, !state.isUnderWay else { return (false, isTooLong) }
            state.writes = 0
            state.isUnderWay = true
            return (true, isTooLong)
        }
        if isTooLong { restart(by: writer) }
        guard isDue else { return }
        database.asyncWriteWithoutTransaction { database in
            // Where the disk is full, the WAL holds what was written, and the writer fails when the WAL is full too.
            let result = try? database.checkpoint(.passive)
            let isWithinBound = result.map { $0.walFrameCount <= Self.walLimit } ?? false
            self.state.withLock { state in
                state.isUnderWay = false
                if isWithinBound { state.writesBeyond = 0 }
            }
        }
    }

    /// Waits for a checkpoint that is running, moves the rest, and lets the next write begin the WAL at its start.
    ///
    /// A reader with an old snapshot, such as a backup, prevents that for as long as it reads. The writer waits for half a
    /// second and tries again after as many writes.
    private func restart(by writer: Database) {
        _ = try? Self.checkpoint(.restart, on: writer)
    }

    /// Moves all of the log into the database, and cuts it to nothing.
    ///
    /// - Throws: `SQLITE_BUSY` where a reader, or another process's checkpoint, prevents it for some seconds. Writes wait for half a
    ///   second at a time.
    static func emptyLog(by connection: any DatabaseWriter) async throws {
        for attempt in 1... {
            do {
                return try await connection.writeWithoutTransaction { try checkpoint(.truncate, on: $0) }
            } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY && attempt < 5 {
                try await Task.sleep(for: .milliseconds(200))
            }
        }
    }

    private static func checkpoint(_ mode: Database.CheckpointMode, on database: Database) throws {
        try database.execute(sql: "PRAGMA busy_timeout = 500")
        defer { try? database.execute(sql: "PRAGMA busy_timeout = \(busyTimeout)") }
        _ = try database.checkpoint(mode)
    }

    /// Of every connection, in milliseconds.
    static let busyTimeout = 5_000
}
