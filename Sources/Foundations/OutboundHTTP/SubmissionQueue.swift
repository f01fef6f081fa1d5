import PayrelayPrimitives
import Synchronization

/// Requests on their way to the curl thread, and the limit on those in flight. Its lock is held for a few instructions: never
/// while libcurl calls back, nor during a wakeup, which is a system call.
final class SubmissionQueue: Sendable {
    /// A request and the task that waits for its outcome.
    struct Submission: Sendable {
        let identifier: UInt64
        let request: OutboundRequest
        let continuation: CheckedContinuation<Outcome<OutboundAnswer>, Never>
        /// By a clock that goes on while the process is stopped, and while the machine sleeps. libcurl's stands still in the latter.
        var submittedAt = ContinuousClock.now
    }

    /// Everything submitted since the thread took the last batch.
    struct Batch: Sendable {
        var submissions: [Submission] = []
        var cancellations: [UInt64] = []
        /// Why the queue was closed, which ends the thread; nil while it is open.
        var closed: String?

        var isEmpty: Bool { submissions.isEmpty && cancellations.isEmpty && closed == nil }
    }

    private struct State {
        var batch = Batch()
        /// Gets the wakeup when something is submitted; nil once the queue is closed.
        var multi: CurlMulti?
        /// Whether the thread waits, or is about to, without having seen what is posted from now on.
        var isResting = false

        /// - Returns: what to wake up once the lock is free; nil where the thread looks for itself, or an earlier post has woken it.
        mutating func post(_ change: (inout Batch) -> Void) -> CurlMulti? {
            change(&batch)
            guard isResting else { return nil }
            isResting = false
            return multi
        }
    }

    private let limit: Int
    private let state: Mutex<State>
    /// It grows only under the lock, so that it never exceeds the limit.
    private let inFlight = Atomic(0)

    init(limit: Int, multi: CurlMulti) {
        self.limit = limit
        state = Mutex(State(multi: multi))
    }

    /// Hands the request to the thread, or fails it at once with `notSent`.
    func submit(_ submission: Submission) {
        var waiting: CurlMulti?
        let rejection: String? = state.withLock { state in
            if let reason = state.batch.closed { return reason }
            // Checked under the lock: an earlier cancellation found nothing to cancel and is seen here; a later one finds the
            // submission.
            if Task.isCancelled { return "the task was cancelled" }
            guard inFlight.load(ordering: .relaxed) < limit else {
                return "too many requests in flight (the limit is \(limit))"
            }
            inFlight.add(1, ordering: .relaxed)
            waiting = state.post { $0.submissions.append(submission) }
            return nil
        }
        waiting?.wakeUp()
        if let rejection { submission.continuation.resume(returning: .notSent(reason: rejection)) }
    }

    /// Makes the thread abandon a transfer; without effect where it has ended.
    func cancel(_ identifier: UInt64) {
        let waiting = state.withLock { state in
            state.batch.closed == nil ? state.post { $0.cancellations.append(identifier) } : nil
        }
        waiting?.wakeUp()
    }

    /// Rejects all further submissions and ends the thread. The first reason stays.
    func close(reason: String) {
        let waiting: CurlMulti? = state.withLock { state in
            guard state.batch.closed == nil else { return nil }
            state.batch.closed = reason
            return state.multi.take()
        }
        waiting?.wakeUp()
    }

    /// For the thread, before it waits: whether nothing has arrived since the last batch. What arrives later wakes it.
    func mayRest() -> Bool {
        state.withLock { state in
            state.isResting = state.batch.isEmpty
            return state.isResting
        }
    }

    /// For the thread: everything that arrived since the last call.
    func take() -> Batch {
        state.withLock { state in
            state.isResting = false
            let batch = state.batch
            state.batch = Batch(closed: batch.closed)
            return batch
        }
    }

    /// For the thread: one transfer has ended and makes room for another.
    func release() {
        inFlight.subtract(1, ordering: .relaxed)
    }
}
