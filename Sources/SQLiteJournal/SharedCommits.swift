import GRDB
import Synchronization

/// Lets writes that arrive together share one commit: what a commit costs is one wait for the disk, however much it holds.
///
/// While one commit is on its way to the disk, whatever arrives waits for the next. Each write stands in a savepoint of its
/// own, so that one that fails takes no other with it; and nobody is told of a success before the commit that holds it.
final class SharedCommits: Sendable {
    /// Makes the change, and returns whom to tell of the commit. Without a database no transaction could be begun.
    private typealias Write = @Sendable (Database?) -> (_ commit: Result<Void, any Error>) -> Void

    private struct Queue {
        var waiting: [Write] = []
        var isDraining = false
    }

    /// How many writes may wait. Beyond it the disk is too slow for what arrives, and a refusal beats a growing queue.
    private static let waitingLimit = 4_096

    private let pool: DatabasePool
    private let checkpoints: Checkpoints?
    private let queue = Mutex(Queue())

    /// - Parameter checkpoints: told of what was written; nil leaves the log to SQLite.
    init(_ pool: DatabasePool, checkpoints: Checkpoints? = nil) {
        self.pool = pool
        self.checkpoints = checkpoints
    }

    /// Runs a change and returns once it is committed.
    ///
    /// - Throws: what `change` throws, the error of the commit, or ``TooManyWrites``.
    func write<Value: Sendable>(_ change: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            let isAccepted = submit { database in
                let result = database.map { database in Result { try database.inOwnSavepoint { try change(database) } }
                }
                return { commit in
                    continuation.resume(with: commit.flatMap { result ?? .failure(NoTransaction()) })
                }
            }
            if !isAccepted { continuation.resume(throwing: TooManyWrites()) }
        }
    }

    private func submit(_ write: @escaping Write) -> Bool {
        let (isAccepted, isFirst) = queue.withLock { queue in
            guard queue.waiting.count < Self.waitingLimit else { return (false, false) }
            queue.waiting.append(write)
            defer { queue.isDraining = true }
            return (true, !queue.isDraining)
        }
        if isFirst { pool.asyncWriteWithoutTransaction { self.drain(into: $0) } }
        return isAccepted
    }

    /// Commits whatever waits, again and again until nothing does.
    private func drain(into database: Database) {
        while let writes = takeWaiting() {
            var tell: [(Result<Void, any Error>) -> Void] = []
            let commit = Result {
                try database.inTransaction(.immediate) {
                    tell = writes.map { $0(database) }
                    return .commit
                }
            }
            if tell.isEmpty { tell = writes.map { $0(nil) } }
            for told in tell { told(commit) }
            if case .success = commit { checkpoints?.count(writes.count) }
        }
    }

    private func takeWaiting() -> [Write]? {
        queue.withLock { queue in
            defer { queue.waiting = [] }
            queue.isDraining = !queue.waiting.isEmpty
            return queue.isDraining ? queue.waiting : nil
        }
    }
}

/// More writes wait for the disk than are let to.
struct TooManyWrites: Error {}

/// A transaction succeeded that was never begun: cannot happen, and must not pass for a success.
private struct NoTransaction: Error {}

extension Database {
    /// Runs a change that is undone alone where it throws. The statements are kept: to read them anew costs as much as
    /// a small change.
    fileprivate func inOwnSavepoint<Value>(_ change: () throws -> Value) throws -> Value {
        try cachedStatement(sql: "SAVEPOINT change").execute()
        do {
            let value = try change()
            try cachedStatement(sql: "RELEASE SAVEPOINT change").execute()
            return value
        } catch {
            // Where the transaction itself was undone, there is no savepoint any more.
            if isInsideTransaction {
                try cachedStatement(sql: "ROLLBACK TO SAVEPOINT change").execute()
                try cachedStatement(sql: "RELEASE SAVEPOINT change").execute()
            }
            throw error
        }
    }
}
