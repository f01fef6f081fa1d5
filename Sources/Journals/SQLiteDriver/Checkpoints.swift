import CSQLite
import Dispatch
import SQLJournal
import Synchronization

/// Checkpoints the WAL on its own connection. By default SQLite's writer does it, and every write that arrives in
/// the meantime waits.
///
/// The WAL restarts only after a full checkpoint, which is rarely possible while writes arrive. Therefore the writer
/// checkpoints the rest, which is little, with its first commit beyond ``walLimit`` pages that finds no running
/// checkpoint. If checkpoints are slower than the writes, one is always running. Then the writer waits for the
/// checkpoint and restarts the WAL itself, so that the WAL stays bounded on a machine of any speed.
final class Checkpoints: Sendable {
    private struct State {
        /// The number of writes since the last checkpoint began.
        var writes = 0
        var isUnderWay = false
        /// The number of writes since the WAL was last seen within its limit. Each write takes at least one page.
        var writesBeyond = 0
    }

    /// The limit of the WAL, in pages of 4 KB.
    static let walLimit = 4_000
    /// How many writes one checkpoint covers.
    static let writesTogether = 256

    private let queue = DispatchQueue(label: "payrelay.journal.checkpoints")
    /// It is safe because it is used only on the queue.
    nonisolated(unsafe) private let connection: SQLiteConnection
    private let state = Mutex(State())

    init(_ connection: SQLiteConnection) {
        self.connection = connection
    }

    /// Counts writes that the writer has committed, and runs a checkpoint if one is due.
    ///
    /// - Parameter writer: the connection that wrote. It restarts the WAL if the WAL has become too long.
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
        // Waits for a running checkpoint, checkpoints the rest, and lets the next write begin at the start of the
        // WAL. A reader with an old snapshot, such as a backup, prevents this while it reads. The writer then waits
        // for half a second, and makes the next attempt after the same number of writes.
        if isTooLong { _ = try? Self.checkpoint(SQLITE_CHECKPOINT_RESTART, on: writer) }
        guard isDue else { return }
        queue.async {
            // If the disk is full, the WAL keeps the written data, and the writer fails when the WAL cannot grow
            // either.
            let frames = try? self.connection.checkpoint(SQLITE_CHECKPOINT_PASSIVE)
            let isWithinBound = frames.map { $0 <= Self.walLimit } ?? false
            self.state.withLock { state in
                state.isUnderWay = false
                if isWithinBound { state.writesBeyond = 0 }
            }
        }
    }

    /// Moves the whole log into the database, and truncates the log.
    ///
    /// - Throws: `SQLITE_BUSY` if a reader, or another process's checkpoint, prevents it for some seconds. Writes
    ///   wait for half a second at a time.
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
