import GRDB

/// Group commit: writes that arrive together share one commit, since a commit costs one wait for the disk, however much
/// it holds.
///
/// While one commit is on its way to the disk, writes that arrive wait for the next one, and on a busy machine for
/// writes that are about to arrive. Where a write of a group fails, the group is undone and each write is made again in
/// a commit of its own: so one that fails takes no other with it, and those that succeed, which is nearly all, need no
/// savepoints. No write returns before the commit that holds it.
final class GroupCommit: Sendable {
    private let queue: CommitQueue

    /// - Parameters:
    ///   - checkpoints: counts what was written; nil leaves the WAL to SQLite.
    ///   - file: checked before and after each commit, once between two that follow each other; nil where another process
    ///     does.
    init(_ pool: DatabasePool, checkpoints: Checkpoints? = nil, file: JournalFile? = nil) {
        queue = CommitQueue(pool, checkpoints: checkpoints, file: file)
    }

    deinit {
        // Its loop holds the queue until it ends.
        queue.end()
    }

    /// Runs a change and returns once it is committed.
    ///
    /// - Throws: what `change` throws, the error of the commit, or ``TooManyWrites``.
    func write<Value: Sendable>(_ change: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        try await writePayment { try change($0.database) }
    }

    /// As ``write(_:)``, for a change that needs the statements of the payments.
    func writePayment<Value: Sendable>(
        _ change: @escaping @Sendable (JournalWriter) throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            let write = CommitQueue.Write { writer in
                let value = try change(writer)
                return { continuation.resume(returning: value) }
            } fail: { error in
                continuation.resume(throwing: error)
            }
            if !queue.submit(write) { continuation.resume(throwing: TooManyWrites()) }
        }
    }
}

/// More writes wait for the disk than may wait.
struct TooManyWrites: Error {}
