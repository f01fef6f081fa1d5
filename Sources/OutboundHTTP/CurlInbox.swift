import Synchronization

/// The submission queue of the curl thread. Its lock is held for a few instructions: never while libcurl calls back, nor while the
/// thread is woken, which asks the system and may cost the caller its processor.
final class CurlInbox: Sendable {
    typealias Outcome = Result<OutboundAnswer, OutboundFailure>

    /// A request and the task that waits for its outcome.
    struct Submission: Sendable {
        let identifier: UInt64
        let request: OutboundRequest
        let continuation: CheckedContinuation<Outcome, Never>
    }

    /// Everything that arrived since the thread last looked.
    struct Batch: Sendable {
        var submissions: [Submission] = []
        var cancellations: [UInt64] = []
        /// Why the thread is to end; nil while it is to go on.
        var closed: String?
    }

    private struct State {
        var batch = Batch()
        /// Woken when a request is submitted; nil once the queue is closed.
        var multi: CurlMulti?

        /// - Returns: what the caller has to wake, once the lock is free; nil where an earlier submission has woken it.
        mutating func post(_ change: (inout Batch) -> Void) -> CurlMulti? {
            let sleeper = batch.submissions.isEmpty && batch.cancellations.isEmpty ? multi : nil
            change(&batch)
            return sleeper
        }
    }

    private let limit: Int
    private let state: Mutex<State>
    /// It grows under the lock alone, so that it never passes the limit.
    private let inFlight = Atomic(0)

    init(limit: Int, multi: CurlMulti) {
        self.limit = limit
        state = Mutex(State(multi: multi))
    }

    /// Hands the request to the thread, or tells the caller at once why not.
    func submit(_ submission: Submission) {
        var sleeper: CurlMulti?
        let refusal: String? = state.withLock { state in
            if let reason = state.batch.closed { return reason }
            // Asked under the lock: a cancellation that took the lock earlier found nothing to cancel, but has left
            // this mark; a later one finds the submission.
            if Task.isCancelled { return "the task was cancelled" }
            guard inFlight.load(ordering: .relaxed) < limit else {
                return "too many requests in flight (the limit is \(limit))"
            }
            inFlight.add(1, ordering: .relaxed)
            sleeper = state.post { $0.submissions.append(submission) }
            return nil
        }
        sleeper?.wakeUp()
        if let refusal { submission.continuation.resume(returning: .failure(.notSent(reason: refusal))) }
    }

    /// Asks the thread to abandon a transfer; without effect where it has ended.
    func cancel(_ identifier: UInt64) {
        let sleeper = state.withLock { state in
            state.batch.closed == nil ? state.post { $0.cancellations.append(identifier) } : nil
        }
        sleeper?.wakeUp()
    }

    /// Refuses all further submissions and asks the thread to end. The first reason stays.
    func close(reason: String) {
        let sleeper: CurlMulti? = state.withLock { state in
            guard state.batch.closed == nil else { return nil }
            state.batch.closed = reason
            return state.multi.take()
        }
        sleeper?.wakeUp()
    }

    /// For the thread: everything that arrived since the last call.
    func take() -> Batch {
        state.withLock { state in
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
