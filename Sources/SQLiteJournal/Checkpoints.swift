import GRDB
import Synchronization

/// Checkpoints the WAL on a connection of its own. By default SQLite's writer does it, and every write that arrives waits
/// meanwhile.
///
/// The WAL restarts only after a full checkpoint, and while writes arrive that is rarely possible. The writer therefore
/// checkpoints the rest, which is little, with its first commit beyond ``walLimit`` pages that finds no checkpoint running: so
/// the WAL stays bounded.
final class Checkpoints: Sendable {
    private struct State {
        var writes = 0
        var isUnderWay = false
    }

    /// In pages of 4 KB.
    static let walLimit = 4_000
    /// How many writes are checkpointed together.
    static let writesTogether = 128

    private let database: DatabaseQueue
    private let state = Mutex(State())

    /// - Throws: an error of GRDB's where the file cannot be opened.
    init(path: String, configuration: Configuration) throws {
        database = try DatabaseQueue(path: path, configuration: configuration)
    }

    /// Counts writes that have been committed.
    func count(_ writes: Int) {
        let isDue = state.withLock { state in
            state.writes += writes
            guard state.writes >= Self.writesTogether, !state.isUnderWay else { return false }
            state = State(isUnderWay: true)
            return true
        }
        guard isDue else { return }
        database.asyncWriteWithoutTransaction { database in
            // Where the disk is full, the WAL holds what was written, and the writer fails when the WAL is full too.
            _ = try? database.checkpoint(.passive)
            self.state.withLock { $0.isUnderWay = false }
        }
    }
}
