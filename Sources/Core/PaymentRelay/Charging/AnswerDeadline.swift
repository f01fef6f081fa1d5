import Logging
import Synchronization

/// Decides which comes first: the end of a payment, or the moment by which its client must be answered. Both may
/// come at the same time, from different threads; the decision is made once.
final class AnswerDeadline: Sendable {
    private struct State {
        var claimed: Payment?
        var isDecided = false
    }

    private let onLate: @Sendable (_ claimed: Payment?) -> Void
    private let state = Mutex(State())

    /// - Parameter onLate: called if the moment comes first. Its argument is the payment if the payment is claimed.
    ///   It is
    ///   `nil` if the payment is not claimed, and then the payment is not sent any more.
    init(onLate: @escaping @Sendable (_ claimed: Payment?) -> Void) {
        self.onLate = onLate
    }

    /// Records that the payment is claimed and about to be sent.
    ///
    /// - Returns: whether the payment may be sent. It may not if the client has been answered that nothing was
    ///   sent.
    func claimed(_ payment: Payment) -> Bool {
        state.withLock { state in
            if !state.isDecided { state.claimed = payment }
            return !state.isDecided
        }
    }

    /// Records that the payment has ended.
    ///
    /// - Returns: whether the payment ended before the deadline, so that the client gets the payment's result.
    func end() -> Bool {
        state.withLock { state in
            defer { state.isDecided = true }
            return !state.isDecided
        }
    }

    /// Records that the deadline has come.
    func pass() {
        let late: State? = state.withLock { state in
            defer { state.isDecided = true }
            return state.isDecided ? nil : state
        }
        if let late { onLate(late.claimed) }
    }
}

/// The deadlines of the payments that are under way. All have the same time limit.
///
/// One task watches all of them, and only while there are any. A timer for each payment would cost more than
/// everything else here, and would remain for the whole time limit after the payment has ended.
final class AnswerDeadlines: Sendable {
    private struct State {
        /// The deadlines of payments under way. There is at most one entry for each of these payments.
        var waiting: [ObjectIdentifier: (deadline: AnswerDeadline, at: ContinuousClock.Instant)] = [:]
        var isWatched = false
    }

    /// `nil` if clients wait for as long as their payments take.
    private let limit: Duration?
    private let state = Mutex(State())

    init(after limit: Duration?) { self.limit = limit }

    func begin(onLate: @escaping @Sendable (_ claimed: Payment?) -> Void) -> AnswerDeadline {
        let deadline = AnswerDeadline(onLate: onLate)
        guard let limit else { return deadline }
        let isFirst = state.withLock { state in
            state.waiting[ObjectIdentifier(deadline)] = (deadline, .now + limit)
            defer { state.isWatched = true }
            return !state.isWatched
        }
        // At most a quarter of a second late.
        if isFirst { watch(every: min(limit / 8, .milliseconds(250))) }
        return deadline
    }

    /// Ends the deadline of a payment that has ended.
    ///
    /// - Returns: whether the payment ended before its deadline.
    func end(_ deadline: AnswerDeadline) -> Bool {
        if limit != nil {
            state.withLock { state in _ = state.waiting.removeValue(forKey: ObjectIdentifier(deadline)) }
        }
        return deadline.end()
    }

    /// Watches the deadlines until no payment waits any more. The task is detached, because it is not a part of the
    /// payment that happens to start it.
    private func watch(every interval: Duration) {
        Task.detached {
            while self.passWhatIsDue(at: .now) {
                // This task is never cancelled.
                try? await Task.sleep(for: interval)
            }
        }
    }

    /// Answers the clients whose deadlines have come.
    ///
    /// - Returns: whether a payment is still waiting.
    @discardableResult func passWhatIsDue(at now: ContinuousClock.Instant) -> Bool {
        let (due, isWatched) = state.withLock { state -> ([AnswerDeadline], Bool) in
            let due = state.waiting.values.filter { $0.at <= now }.map(\.deadline)
            for deadline in due { state.waiting[ObjectIdentifier(deadline)] = nil }
            state.isWatched = !state.waiting.isEmpty
            return (due, state.isWatched)
        }
        for deadline in due { deadline.pass() }
        return isWatched
    }
}

extension PaymentRelay {
    /// Returns the result for a client whose payment takes longer than ``Policy/answerAfter``.
    ///
    /// - Parameter claimed: the payment; `nil` if it is not claimed.
    func resultAtDeadline(
        of request: PaymentRequest, _ claimed: Payment?
    ) -> Result<PaymentReply, PaymentRefusal> {
        logger.notice(
            "answered at the deadline; the payment is carried on",
            metadata: [
                "merchant_reference": "\(request.order.merchantReference)", "request_id": "\(request.identifier)",
            ])
        guard let claimed else {
            return .failure(
                .journalUnavailable(reason: "recording the payment took too long, and it is not sent any more"))
        }
        let early = claimed.uncertain(reason: "there is no final answer yet; the payment continues")
        return .success(PaymentReply(payment: early, isReplay: false, steps: StepTimes()))
    }
}
