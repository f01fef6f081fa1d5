import Dispatch
import GRDB
import Glibc
import Synchronization

/// The writes that wait, and the loop that commits them on the writer's queue.
final class CommitQueue: Sendable {
    /// A change, and how its task is resumed.
    struct Write: Sendable {
        /// Makes the change in a transaction, and returns what resumes its task. May be called again after the change
        /// was undone.
        let change: @Sendable (JournalWriter) throws -> @Sendable () -> Void
        let fail: @Sendable (any Error) -> Void
    }

    private struct State {
        var waiting: [Write] = []
        /// Whether the loop has the writer's queue.
        var isRunning = false
        /// Whether the loop sleeps until it is woken.
        var isResting = false
        var isEnded = false

        /// - Returns: whether the loop rested, and is to be woken.
        mutating func stopResting() -> Bool {
            defer { isResting = false }
            return isResting
        }
    }

    /// How many writes may wait. Beyond it the disk is too slow for what arrives, and an error is better than a growing
    /// queue.
    private static let waitingLimit = 4_096

    private let pool: DatabasePool
    private let checkpoints: Checkpoints?
    private let file: JournalFile?
    private let state = Mutex(State())
    private let wake = DispatchSemaphore(value: 0)
    /// Safe: used on the writer's queue only, and at the end, when nothing waits.
    nonisolated(unsafe) private var writer: JournalWriter?

    init(_ pool: DatabasePool, checkpoints: Checkpoints?, file: JournalFile?) {
        self.pool = pool
        self.checkpoints = checkpoints
        self.file = file
    }

    deinit {
        // Its statements are freed before the pool, and with it the connection.
        writer = nil
    }

    /// Returns once the loop has let go of everything. Nothing may be submitted any more.
    func end() {
        let isResting = state.withLock { state in
            state.isEnded = true
            return state.stopResting()
        }
        if isResting { wake.signal() }
        pool.unsafeReentrantWrite { _ in }
    }

    /// - Returns: false where too many wait.
    func submit(_ write: Write) -> Bool {
        let (isAccepted, isResting, isRunning) = state.withLock { state in
            guard state.waiting.count < Self.waitingLimit else { return (false, false, true) }
            state.waiting.append(write)
            defer { state.isRunning = true }
            return (true, state.stopResting(), state.isRunning)
        }
        if isResting { wake.signal() }
        if !isRunning { pool.asyncWriteWithoutTransaction { self.run(on: $0) } }
        return isAccepted
    }

    /// Commits whatever waits, again and again, until nothing has come for a while: to wake this thread for the next write
    /// costs less than to have the pool find one.
    ///
    /// After a commit that was shared, threads that are ready to run go first and may bring more writes for the next: a
    /// commit costs much the same for two as for twenty. Where the processor is idle, no thread is ready and nothing is
    /// waited for, as it would be with a pause.
    private func run(on database: Database) {
        let writer = self.writer ?? JournalWriter(database)
        self.writer = writer
        repeat {
            // The first time, the file may have gone while nothing was written.
            var isFileChecked = false
            while let writes = takeWaiting() {
                isFileChecked = commit(writes, by: writer, isFileChecked: isFileChecked)
                if writes.count > 1 {
                    for _ in 0..<Self.turnsGiven { sched_yield() }
                }
            }
        } while rest()
    }

    /// How often other threads go first. Each time brings less than the one before, and costs next to nothing once none is ready.
    private static let turnsGiven = 8
    /// How long the loop waits for the next write.
    private static let patience = DispatchTimeInterval.seconds(1)

    /// Nil where nothing waits.
    private func takeWaiting() -> [Write]? {
        state.withLock { state in
            defer { state.waiting = [] }
            return state.waiting.isEmpty ? nil : state.waiting
        }
    }

    /// Sleeps until there is something to do.
    ///
    /// - Returns: false where the loop is to end.
    private func rest() -> Bool {
        let (hasWork, isEnded) = state.withLock { state in
            state.isResting = state.waiting.isEmpty && !state.isEnded
            return (!state.waiting.isEmpty, state.isEnded)
        }
        if hasWork || isEnded { return hasWork }
        if wake.wait(timeout: .now() + Self.patience) == .success { return true }
        let isWoken = state.withLock { state in
            // Woken in this very moment: the signal is there, or will be.
            guard state.stopResting() else { return true }
            state.isRunning = false
            return false
        }
        if isWoken { wake.wait() }
        return isWoken
    }

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
}

/// One change of a transaction threw, and all of them were undone.
private struct FailedChange: Error {
    let reason: any Error
}
