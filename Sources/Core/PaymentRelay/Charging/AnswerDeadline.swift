import Synchronization

/// Decides what is first: the end of a payment, or the moment by which its client must be answered. Both may come at
/// once, from different threads; the decision is made once.
final class AnswerDeadline: Sendable {
    private struct State {
        var claimed: Payment?
        var isDecided = false
    }

    let moment: ContinuousClock.Instant
    private let onLate: @Sendable (_ claimed: Payment?) -> Void
    private let state = Mutex(State())

    /// - Parameter onLate: called where the moment comes first: with the payment where it is claimed; without one it is
    ///   not, and is not sent any more.
    init(at moment: ContinuousClock.Instant, onLate: @escaping @Sendable (_ claimed: Payment?) -> Void) {
        self.moment = moment
        self.onLate = onLate
    }

    /// Notes that the payment is claimed and about to be sent.
    ///
    /// - Returns: false where the client was answered already that nothing was sent.
    func claimed(_ payment: Payment) -> Bool {
        state.withLock { state in
            if !state.isDecided { state.claimed = payment }
            return !state.isDecided
        }
    }

    /// The payment has ended.
    ///
    /// - Returns: whether that is first, so that its client is answered with its result.
    func end() -> Bool {
        state.withLock { state in
            defer { state.isDecided = true }
            return !state.isDecided
        }
    }

    /// The moment has come.
    func pass() {
        let late: State? = state.withLock { state in
            defer { state.isDecided = true }
            return state.isDecided ? nil : state
        }
        if let late { onLate(late.claimed) }
    }
}

/// The deadlines of the payments that are under way, which all have the same time.
///
/// One task watches all of them, and only while there are any: a timer for each would cost a payment more than the rest
/// of this, and would remain for its whole time once the payment has ended.
final class AnswerDeadlines: Sendable {
    private struct State {
        /// No more than there are payments under way.
        var waiting: [ObjectIdentifier: AnswerDeadline] = [:]
        var isWatched = false
    }

    private let limit: Duration
    /// How late a deadline may be noticed.
    private let interval: Duration
    private let state = Mutex(State())

    init(after limit: Duration) {
        self.limit = limit
        interval = min(limit / 8, .milliseconds(250))
    }

    func begin(onLate: @escaping @Sendable (_ claimed: Payment?) -> Void) -> AnswerDeadline {
        let deadline = AnswerDeadline(at: .now + limit, onLate: onLate)
        let isFirst = state.withLock { state in
            state.waiting[ObjectIdentifier(deadline)] = deadline
            defer { state.isWatched = true }
            return !state.isWatched
        }
        if isFirst { watch() }
        return deadline
    }

    /// - Returns: whether the payment has ended before its deadline.
    func end(_ deadline: AnswerDeadline) -> Bool {
        state.withLock { state in _ = state.waiting.removeValue(forKey: ObjectIdentifier(deadline)) }
        return deadline.end()
    }

    /// Ends by itself when nothing waits any more. Detached: it is no part of the payment that happens to come first.
    private func watch() {
        Task.detached {
            while self.passWhatIsDue(at: .now) {
                // This task is never cancelled.
                try? await Task.sleep(for: self.interval)
            }
        }
    }

    /// - Returns: whether there is anything to come back for.
    @discardableResult func passWhatIsDue(at now: ContinuousClock.Instant) -> Bool {
        let (due, isWatched) = state.withLock { state -> ([AnswerDeadline], Bool) in
            let due = state.waiting.values.filter { $0.moment <= now }
            for deadline in due { state.waiting[ObjectIdentifier(deadline)] = nil }
            state.isWatched = !state.waiting.isEmpty
            return (due, state.isWatched)
        }
        for deadline in due { deadline.pass() }
        return isWatched
    }
}
