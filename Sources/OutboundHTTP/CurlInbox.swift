import Synchronization

/// What callers leave for the thread. Its lock is held for a few instructions and never while libcurl calls back.
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
        var inFlight = 0
        /// What to wake when mail arrives. Let go on closing: from then on nobody but the thread touches it.
        var multi: CurlMulti?

        mutating func post(_ change: (inout Mail) -> Void) {
            // Mail that was there already has woken the thread.
            if mail.submissions.isEmpty && mail.cancellations.isEmpty { multi?.wakeUp() }
            change(&mail)
        }
    }

    private let limit: Int
    private let state: Mutex<State>

    init(limit: Int, multi: CurlMulti) {
        self.limit = limit
        state = Mutex(State(multi: multi))
    }

    /// Hands the request to the thread, or tells the caller at once why not.
    func submit(_ submission: Submission) {
        let refusal: String? = state.withLock { state in
            if let reason = state.mail.closed { return reason }
            // Asked under the lock: a cancellation that took the lock earlier found nothing to cancel, but has left
            // this mark; a later one finds the submission.
            if Task.isCancelled { return "the task was cancelled" }
            if state.inFlight >= limit { return "too many requests in flight (the limit is \(limit))" }
            state.inFlight += 1
            state.post { $0.submissions.append(submission) }
            return nil
        }
        if let refusal { submission.caller.resume(returning: .failure(.notSent(reason: refusal))) }
    }

    /// Asks the thread to abandon a transfer; without effect where it has ended.
    func cancel(_ identifier: UInt64) {
        state.withLock { state in
            if state.mail.closed == nil { state.post { $0.cancellations.append(identifier) } }
        }
    }

    /// Refuses all further submissions and asks the thread to end. The first reason stays.
    func close(reason: String) {
        state.withLock { state in
            guard state.mail.closed == nil else { return }
            state.mail.closed = reason
            state.multi?.wakeUp()
            state.multi = nil
        }
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
        state.withLock { $0.inFlight -= 1 }
    }
}
