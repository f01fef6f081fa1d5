import Synchronization

/// Decides what comes first: the end of a payment, or the moment by which its client must be answered. Both may come at once,
/// from different threads; one of them is first, and stays it.
final class AnswerDeadline: Sendable {
    enum First: Equatable {
        /// The payment has ended; its result is there.
        case ended
        /// It has not. With the payment where it is claimed; without one it is not, and must not be sent any more.
        case late(Payment?)
    }

    private struct State {
        var claimed: Payment?
        var first: First?
        var waiter: CheckedContinuation<First, Never>?
    }

    let moment: ContinuousClock.Instant
    private let state = Mutex(State())

    init(at moment: ContinuousClock.Instant) {
        self.moment = moment
    }

    /// Waits for what comes first. One task waits, once.
    func first() async -> First {
        await withCheckedContinuation { continuation in
            let first = state.withLock { state in
                if state.first == nil { state.waiter = continuation }
                return state.first
            }
            if let first { continuation.resume(returning: first) }
        }
    }

    /// Notes that the payment is claimed and about to be sent.
    ///
    /// - Returns: false where the client was answered already that nothing was sent.
    func claimed(_ payment: Payment) -> Bool {
        state.withLock { state in
            if state.first == nil { state.claimed = payment }
            return state.first == nil
        }
    }

    /// The payment has ended.
    func end() { decide { _ in .ended } }

    /// The moment has come.
    func pass() { decide { .late($0) } }

    private func decide(_ first: (Payment?) -> First) {
        let (waiter, decided) = state.withLock { state -> (CheckedContinuation<First, Never>?, First) in
            let decided = state.first ?? first(state.claimed)
            state.first = decided
            defer { state.waiter = nil }
            return (state.waiter, decided)
        }
        waiter?.resume(returning: decided)
    }
}

/// The deadlines of the payments that are under way, which all have the same time.
///
/// One task looks after all of them, and only while there are any: a timer for each would cost a payment more than the rest of
/// this, and would stay behind for its whole time once the payment has ended.
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

    func begin() -> AnswerDeadline {
        let deadline = AnswerDeadline(at: .now + limit)
        let isFirst = state.withLock { state in
            state.waiting[ObjectIdentifier(deadline)] = deadline
            defer { state.isWatched = true }
            return !state.isWatched
        }
        if isFirst { watch() }
        return deadline
    }

    func end(_ deadline: AnswerDeadline) {
        state.withLock { state in _ = state.waiting.removeValue(forKey: ObjectIdentifier(deadline)) }
        deadline.end()
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
