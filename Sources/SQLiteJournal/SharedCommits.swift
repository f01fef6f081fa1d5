import GRDB
import Synchronization
#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Lets writes that arrive together share one commit: what a commit costs is one wait for the disk, however much it holds.
///
/// While one commit is on its way to the disk, whatever arrives waits for the next, and on a busy machine for what is about to
/// arrive. Where one of them fails, all are undone and made again, each in a commit of its own: so one that fails takes no
/// other with it, and those that succeed, which is nearly all, need no savepoints. Nobody is told of a success before the
/// commit that holds it.
final class SharedCommits: Sendable {
    /// A change, and whom to tell what became of it.
    private struct Write: Sendable {
        /// Makes the change in a transaction, and returns how to tell of its success. May be called again after it was undone.
        let change: @Sendable (Database) throws -> @Sendable () -> Void
        let fail: @Sendable (any Error) -> Void
    }

    private struct Queue {
        var waiting: [Write] = []
        var isDraining = false
    }

    /// How many writes may wait. Beyond it the disk is too slow for what arrives, and a refusal beats a growing queue.
    private static let waitingLimit = 4_096

    private let pool: DatabasePool
    private let checkpoints: Checkpoints?
    private let file: JournalFile?
    private let queue = Mutex(Queue())

    /// - Parameters:
    ///   - checkpoints: told of what was written; nil leaves the log to SQLite.
    ///   - file: looked at before and after each commit; nil where another process does.
    init(_ pool: DatabasePool, checkpoints: Checkpoints? = nil, file: JournalFile? = nil) {
        self.pool = pool
        self.checkpoints = checkpoints
        self.file = file
    }

    /// Runs a change and returns once it is committed.
    ///
    /// - Throws: what `change` throws, the error of the commit, or ``TooManyWrites``.
    func write<Value: Sendable>(_ change: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            let write = Write { database in
                let value = try change(database)
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
    /// After a commit that was shared, whoever is ready to run goes first and may bring more to share the next: a commit costs
    /// much the same for two as for twenty. Where the processor is idle, nobody is ready and nothing is waited for, which a
    /// pause of some length would be. Twice, because on two cores once brings only two thirds of what it can.
    private func drain(into database: Database) {
        while let writes = takeWaiting() {
            commit(writes, to: database)
            if writes.count > 1 {
                sched_yield()
                sched_yield()
            }
        }
    }

    private func commit(_ writes: [Write], to database: Database) {
        do {
            try file?.check()
            var successes: [@Sendable () -> Void] = []
            try database.inTransaction(.immediate) {
                successes = try writes.map { write in
                    do { return try write.change(database) } catch { throw FailedChange(reason: error) }
                }
                return .commit
            }
            // What was taken away meanwhile holds the commit no longer.
            try file?.check()
            for tell in successes { tell() }
            checkpoints?.count(writes.count)
        } catch let failed as FailedChange {
            if writes.count == 1 { return writes[0].fail(failed.reason) }
            for write in writes { commit([write], to: database) }
        } catch {
            // The log's content is still there until this process ends.
            if file?.canSaveLog == true { _ = try? database.checkpoint(.passive) }
            // The transaction could not be begun or committed, which is no one change's fault.
            for write in writes { write.fail(error) }
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

/// One change of a transaction threw, and all of them were undone.
private struct FailedChange: Error {
    let reason: any Error
}
