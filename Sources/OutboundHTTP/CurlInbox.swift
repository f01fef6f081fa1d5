import Synchronization

/// What callers leave for the thread. Its lock is held for a few instructions: never while libcurl calls back, nor while the
/// thread is woken, which asks the system and may cost the caller its processor.
final class CurlInbox: Sendable {
    typealias Outcome = Result<OutboundAnswer, OutboundFailure>

    /// A request and the task that waits for its outcome.
    struct Submission: Sendable {
        let identifier: UInt64
        let request: OutboundRequest
        let caller: CheckedContinuation<Outcome, Never>
    }

    /// Everything that arrived since the thread last looked.
    struct Mail: Sendable {
        var submissions: [Submission] = []
        var cancellations: [UInt64] = []
        /// Why the thread is to end; nil while it is to go on.
        var closed: String?
    }

    private struct State {
        var mail = Mail()
        /// What to wake when mail arrives. Let go on closing: who asks for it later finds none.
        var multi: CurlMulti?

        /// - Returns: what the caller has to wake, once the lock is free; nil where earlier mail has seen to that.
        mutating func post(_ change: (inout Mail) -> Void) -> CurlMulti? {
            let sleeper = mail.submissions.isEmpty && mail.cancellations.isEmpty ? multi : nil
            change(&mail)
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
            if let reason = state.mail.closed { return reason }
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
        if let refusal { submission.caller.resume(returning: .failure(.notSent(reason: refusal))) }
    }

    /// Asks the thread to abandon a transfer; without effect where it has ended.
    func cancel(_ identifier: UInt64) {
        let sleeper = state.withLock { state in
            state.mail.closed == nil ? state.post { $0.cancellations.append(identifier) } : nil
        }
        sleeper?.wakeUp()
    }

    /// Refuses all further submissions and asks the thread to end. The first reason stays.
    func close(reason: String) {
        let sleeper: CurlMulti? = state.withLock { state in
            guard state.mail.closed == nil else { return nil }
            state.mail.closed = reason
            return state.multi.take()
        }
        sleeper?.wakeUp()
    }

    /// For the thread: everything that arrived since the last call.
    func take() -> Mail {
        state.withLock { state in
            let mail = state.mail
            state.mail = Mail(closed: mail.closed)
            return mail
        }
    }

    /// For the thread: one transfer has ended and makes room for another.
    func release() {
        inFlight.subtract(1, ordering: .relaxed)
    }
}
