import GRDB
import Synchronization
import Glibc

/// Group commit: writes that arrive together share one commit, since a commit costs one wait for the disk, however much
/// it holds.
///
/// While one commit is on its way to the disk, writes that arrive wait for the next one, and on a busy machine for
/// writes that are about to arrive. Where a write of a group fails, the group is undone and each write is made again in
/// a commit of its own: so one that fails takes no other with it, and those that succeed, which is nearly all, need no
/// savepoints. No write returns before the commit that holds it.
final class GroupCommit: Sendable {
    /// A change, and how its task is resumed.
    private struct Write: Sendable {
        /// Makes the change in a transaction, and returns what resumes its task. May be called again after the change
        /// was undone.
        let change: @Sendable (JournalWriter) throws -> @Sendable () -> Void
        let fail: @Sendable (any Error) -> Void
    }

    private struct Queue {
        var waiting: [Write] = []
        var isDraining = false
    }

    /// How many writes may wait. Beyond it the disk is too slow for what arrives, and an error is better than a growing
    /// queue.
    private static let waitingLimit = 4_096

    private let pool: DatabasePool
    private let checkpoints: Checkpoints?
    private let file: JournalFile?
    private let queue = Mutex(Queue())
    /// Safe: used on the writer's queue only, and at the end, when nothing waits.
    nonisolated(unsafe) private var writer: JournalWriter?

    /// - Parameters:
    ///   - checkpoints: counts what was written; nil leaves the WAL to SQLite.
    ///   - file: checked before and after each commit; nil where another process does.
    init(_ pool: DatabasePool, checkpoints: Checkpoints? = nil, file: JournalFile? = nil) {
        self.pool = pool
        self.checkpoints = checkpoints
        self.file = file
    }

    deinit {
        // Its statements are freed before the pool, and with it the connection.
        writer = nil
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
            let write = Write { writer in
                let value = try change(writer)
                return { continuation.resume(returning: value) }
            } fail: { error in
                continuation.resume(throwing: error)
            }
            if !submit(write) { continuation.resume(throwing: TooManyWrites()) }
        }
    }

    private func submit(_ write: Write) -> Bool {
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
    ///
    /// After a commit that was shared, threads that are ready to run go first and may bring more writes for the next: a
    /// commit costs much the same for two as for twenty. Where the processor is idle, no thread is ready and nothing is
    /// waited for, as it would be with a pause.
    private func drain(into database: Database) {
        let writer = self.writer ?? JournalWriter(database)
        self.writer = writer
        // The first time, the file may have gone while nothing was written.
        var isFileChecked = false
        while let writes = takeWaiting() {
            isFileChecked = commit(writes, by: writer, isFileChecked: isFileChecked)
            if writes.count > 1 {
                for _ in 0..<Self.turnsGiven { sched_yield() }
            }
        }
    }

    /// How often other threads go first. Each time brings less than the one before, and costs next to nothing once none is ready.
    private static let turnsGiven = 8

    /// - Parameter isFileChecked: that the file was in place after the commit just before.
    /// - Returns: whether it was after this one.
    private func commit(_ writes: [Write], by writer: JournalWriter, isFileChecked: Bool = false) -> Bool {
        do {
            if !isFileChecked { try file?.check() }
            let successes = try writer.transaction {
                try writes.map { write in
                    do { return try write.change(writer) } catch { throw FailedChange(reason: error) }
                }
            }
            // A file that was removed meanwhile does not hold the commit.
            try file?.check()
            for resume in successes { resume() }
            checkpoints?.count(writes.count, by: writer.database)
            writer.moveSearchKeys()
            return true
        } catch let failed as FailedChange {
            if writes.count == 1 {
                writes[0].fail(failed.reason)
            } else {
                for write in writes { _ = commit([write], by: writer) }
            }
        } catch {
            // The log's content is still there until this process ends.
            if file?.canSaveLog == true { _ = try? writer.database.checkpoint(.passive) }
            // The transaction could not be begun or committed, which no single change caused.
            for write in writes { write.fail(error) }
        }
        return false
    }

    private func takeWaiting() -> [Write]? {
        queue.withLock { queue in
            defer { queue.waiting = [] }
            queue.isDraining = !queue.waiting.isEmpty
            return queue.isDraining ? queue.waiting : nil
        }
    }
}

/// More writes wait for the disk than may wait.
struct TooManyWrites: Error {}

/// One change of a transaction threw, and all of them were undone.
private struct FailedChange: Error {
    let reason: any Error
}
