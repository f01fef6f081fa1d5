import PayrelayPrimitives
import Synchronization

/// The queue of requests for the curl thread, with the limit on requests in flight. Its lock is held for only a
/// few instructions: never while libcurl calls back, nor during a wakeup, which is a system call.
final class SubmissionQueue: Sendable {
    /// A request and the task that waits for its outcome.
    struct Submission: Sendable {
        let identifier: UInt64
        let request: OutboundRequest
        let continuation: CheckedContinuation<Outcome<OutboundAnswer>, Never>
        /// By a clock that continues while the process is stopped and while the machine sleeps. libcurl's clock
        /// stops while the machine sleeps.
        var submittedAt = ContinuousClock.now
    }

    /// Everything that was submitted since the thread took the previous batch.
    struct Batch: Sendable {
        var submissions: [Submission] = []
        var cancellations: [UInt64] = []
        /// Why the queue was closed, which ends the thread; `nil` while it is open.
        var closed: String?

        var isEmpty: Bool { submissions.isEmpty && cancellations.isEmpty && closed == nil }
    }

    private struct State {
        var batch = Batch()
        /// Woken up when something is submitted; `nil` after the queue was closed.
        var multi: CurlMulti?
        /// Whether the thread is waiting, or about to wait, and has not seen later submissions.
        var isResting = false

        /// Changes the batch that the thread takes next.
        ///
        /// - Returns: the object to wake up after the lock is released; `nil` if the thread is not waiting, or if
        ///   an earlier call has already woken it.
        mutating func post(_ change: (inout Batch) -> Void) -> CurlMulti? {
            change(&batch)
            guard isResting else { return nil }
            isResting = false
            return multi
        }
    }

    private let limit: Int
    private let state: Mutex<State>
    /// The number of requests in flight. It grows only under the lock, so that it never exceeds the limit.
    private let inFlight = Atomic(0)

    init(limit: Int, multi: CurlMulti) {
        self.limit = limit
        state = Mutex(State(multi: multi))
    }

    /// Passes the request to the thread, or fails it immediately with `notSent`.
    func submit(_ submission: Submission) {
        var waiting: CurlMulti?
        let rejection: String? = state.withLock { state in
            if let reason = state.batch.closed { return reason }
            // Checked under the lock: a cancellation before this point found nothing to cancel and is detected
            // here; a later one finds the submission.
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

    /// Makes the thread end a transfer. Has no effect if the transfer has ended.
    func cancel(_ identifier: UInt64) {
        let waiting = state.withLock { state in
            state.batch.closed == nil ? state.post { $0.cancellations.append(identifier) } : nil
        }
        waiting?.wakeUp()
    }

    /// Rejects all further submissions and ends the thread. If the queue is already closed, the first reason is
    /// kept.
    func close(reason: String) {
        let waiting: CurlMulti? = state.withLock { state in
            guard state.batch.closed == nil else { return nil }
            state.batch.closed = reason
            return state.multi.take()
        }
        waiting?.wakeUp()
    }

    /// Returns whether nothing was submitted since the last batch. Called by the thread before it waits. Later
    /// submissions wake it.
    func mayRest() -> Bool {
        state.withLock { state in
            state.isResting = state.batch.isEmpty
            return state.isResting
        }
    }

    /// Returns everything that was submitted since the last call. Called by the thread.
    func take() -> Batch {
        state.withLock { state in
            state.isResting = false
            let batch = state.batch
            state.batch = Batch(closed: batch.closed)
            return batch
        }
    }

    /// Frees the slot of a transfer that has ended. Called by the thread.
    func release() {
        inFlight.subtract(1, ordering: .relaxed)
    }
}
