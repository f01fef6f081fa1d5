import GRDB
import Synchronization

/// Moves SQLite's log into the database on a connection of its own. Left to itself SQLite lets the writer do it, and everything
/// that arrives waits meanwhile.
///
/// The log begins anew only once all of it has been moved, and while writes arrive that is rarely so. The writer therefore moves
/// the rest, which is little, with its first commit beyond ``logLimit`` pages that finds no move under way: so it stays bounded.
final class Checkpoints: Sendable {
    private struct State {
        var writes = 0
        var isUnderWay = false
    }

    /// In pages of 4 KB.
    static let logLimit = 4_000
    /// How many writes are moved together.
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
            // Where the disk is full, the log holds what was written, and the writer tells when it holds no more.
            _ = try? database.checkpoint(.passive)
            self.state.withLock { $0.isUnderWay = false }
        }
    }
}
