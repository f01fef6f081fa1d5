public import Logging
public import PaymentRelay
import Synchronization

/// A probe that reports whether the journal can record a claim durably now.
///
/// However many clients query it, the journal is tested about once a second, and never by two tests at once, so
/// `/ready` cannot be used to load the disk. If a test does not finish in time, the journal counts as unable to
/// record until the test finishes.
public final class JournalProbe: Sendable {
    private struct State {
        var answer: (isReady: Bool, until: ContinuousClock.Instant)?
        var waiting: [CheckedContinuation<Bool, Never>] = []
        /// The number of the test that is under way; `nil` if there is none.
        var underWay: Int?
        var trials = 0
        var isOverdue = false
        /// The readiness that was last logged.
        var isReadyInLog = true
        /// The gaps that the last successful test found.
        var gaps: [DurabilityGap] = []
    }

    private enum Step {
        case answer(Bool)
        case wait
        case begin(trial: Int)
    }

    private let check: @Sendable () async throws -> [DurabilityGap]
    private let logger: Logger
    private let answerLifetime: Duration
    private let timeout: Duration
    private let state = Mutex(State())

    /// - Parameters:
    ///   - answerLifetime: how long the result of a test is reused.
    ///   - timeout: how long the journal may take to answer.
    ///   - check: tests the journal (`Journal.checkDurability()`).
    public init(
        logger: Logger, answerLifetime: Duration = .seconds(1), timeout: Duration = .seconds(3),
        check: @escaping @Sendable () async throws -> [DurabilityGap]
    ) {
        self.check = check
        self.logger = logger
        self.answerLifetime = answerLifetime
        self.timeout = timeout
    }

    /// The ways in which the records that the journal wrote last could still be lost.
    var gaps: [DurabilityGap] { state.withLock(\.gaps) }

    func isReady() async -> Bool {
        await withCheckedContinuation { continuation in
            let step = state.withLock { state -> Step in
                if let answer = state.answer, .now < answer.until { return .answer(answer.isReady) }
                if state.isOverdue { return .answer(false) }
                state.waiting.append(continuation)
                guard state.underWay == nil else { return .wait }
                state.trials += 1
                state.underWay = state.trials
                return .begin(trial: state.trials)
            }
            switch step {
            case .answer(let isReady): continuation.resume(returning: isReady)
            case .wait: break
            case .begin(let trial): begin(trial)
            }
        }
    }

    private func begin(_ trial: Int) {
        let deadline = Task {
            try await Task.sleep(for: timeout)
            giveUp(trial)
        }
        Task {
            do {
                let gaps = try await check()
                note(gaps)
                end(trial, error: nil)
            } catch {
                end(trial, error: error)
            }
            deadline.cancel()
        }
    }

    private func giveUp(_ trial: Int) {
        let waiting = state.withLock { state -> [CheckedContinuation<Bool, Never>] in
            guard state.underWay == trial else { return [] }
            state.isOverdue = true
            defer { state.waiting = [] }
            return state.waiting
        }
        guard !waiting.isEmpty else { return }
        log(reason: "no answer in \(timeout)")
        for continuation in waiting { continuation.resume(returning: false) }
    }

    private func end(_ trial: Int, error: (any Error)?) {
        let waiting = state.withLock { state in
            state.underWay = nil
            state.isOverdue = false
            state.answer = (error == nil, .now + answerLifetime)
            defer { state.waiting = [] }
            return state.waiting
        }
        log(reason: error.map { "\($0)" })
        for continuation in waiting { continuation.resume(returning: error == nil) }
    }

    private func note(_ gaps: [DurabilityGap]) {
        let before = state.withLock { state in
            defer { state.gaps = gaps }
            return state.gaps
        }
        for gap in gaps where !before.contains(gap) {
            logger.warning("\(gap.sentence)", metadata: ["gap": "\(gap.rawValue)"])
        }
        for gap in before where !gaps.contains(gap) {
            logger.notice("the database waits again", metadata: ["gap": "\(gap.rawValue)"])
        }
    }

    /// Logs the readiness if it has changed.
    private func log(reason: String?) {
        let isNews = state.withLock { state in
            defer { state.isReadyInLog = reason == nil }
            return state.isReadyInLog != (reason == nil)
        }
        guard isNews else { return }
        if let reason {
            logger.error("the journal cannot record: no payment is accepted", metadata: ["error": "\(reason)"])
        } else {
            logger.notice("the journal records again")
        }
    }
}
