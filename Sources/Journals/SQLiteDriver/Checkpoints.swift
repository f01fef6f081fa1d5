import CSQLite
import Dispatch
import SQLJournal
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
    static let writesTogether = 256

    private let queue = DispatchQueue(label: "payrelay.journal.checkpoints")
    /// Safe: used on the queue only.
    nonisolated(unsafe) private let connection: SQLiteConnection
    private let state = Mutex(State())

    init(_ connection: SQLiteConnection) {
        self.connection = connection
    }

    /// Counts writes that the writer has committed, and checkpoints where that is due.
    ///
    /// - Parameter writer: the connection that wrote; it restarts the WAL where that has become too long.
    func count(_ writes: Int, by writer: SQLiteConnection) {
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
        // Waits for a checkpoint that is running, moves the rest, and lets the next write begin the WAL at its start. A reader with an
        // old snapshot, such as a backup, prevents that for as long as it reads. The writer waits for half a second and tries again
        // after as many writes.
        if isTooLong { _ = try? Self.checkpoint(SQLITE_CHECKPOINT_RESTART, on: writer) }
        guard isDue else { return }
        queue.async {
            // Where the disk is full, the WAL holds what was written, and the writer fails when the WAL is full too.
            let frames = try? self.connection.checkpoint(SQLITE_CHECKPOINT_PASSIVE)
            let isWithinBound = frames.map { $0 <= Self.walLimit } ?? false
            self.state.withLock { state in
                state.isUnderWay = false
                if isWithinBound { state.writesBeyond = 0 }
            }
        }
    }

    /// Moves all of the log into the database, and cuts it to nothing.
    ///
    /// - Throws: `SQLITE_BUSY` where a reader, or another process's checkpoint, prevents it for some seconds. Writes wait for half a
    ///   second at a time.
    func emptyLog() async throws {
        for attempt in 1... {
            let result = await withCheckedContinuation { continuation in
                queue.async {
                    let result = Result { () throws(SQLiteError) in
                        try Self.checkpoint(SQLITE_CHECKPOINT_TRUNCATE, on: self.connection)
                    }
                    continuation.resume(returning: result.map { _ in })
                }
            }
            guard case .failure(let error) = result, error.isBusy, attempt < 5 else { return try result.get() }
            try await Task.sleep(for: .milliseconds(200))
        }
    }

    private static func checkpoint(_ mode: Int32, on connection: SQLiteConnection) throws(SQLiteError) -> Int {
        try connection.waiting(500) { () throws(SQLiteError) in try connection.checkpoint(mode) }
    }
}
