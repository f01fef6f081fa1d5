import FoundationEssentials
package import Logging
package import PaymentRelay
import PayrelayPrimitives
package import RelayServer
import ServiceLifecycle
import Synchronization

/// How a gateway answers for each of the merchant's accounts, and which of them can be charged. An account without requests is queried from
/// time to time.
///
/// An account can be charged after the first verified answer for it since this process started. It stays so: what a later failure means,
/// the circuit breaker and the payment's own answer decide.
package final class AvailabilityWatch: Sendable {
    private struct Seen {
        var state = AccountAvailability.State.notAsked
        /// When the last verified answer came.
        var lastAnswer: Date?
        /// Why the newest answer was not verified, or did not come; `nil` before the first query, and after a verified answer.
        var failure: String?
        /// How many answers in a row were not verified, or did not come.
        var failures = 0
        /// When the next query is due.
        var due: ContinuousClock.Instant
        /// The first query, which the first charges wait for; `nil` if no charge needed one.
        var firstQuery: Task<Void, Never>?

        var isVerified: Bool { lastAnswer != nil }

        mutating func note(
            _ seenState: AccountAvailability.State, isVerified: Bool, failure: String?,
            at moment: ContinuousClock.Instant
        ) {
            state = seenState
            failures = isVerified ? 0 : failures + 1
            self.failure = isVerified ? nil : failure
            if isVerified { lastAnswer = Date() }
            due = moment + (seenState == .answering ? AvailabilityWatch.rest.answering : pause)
        }

        /// The pause before the next query of an account that did not answer well.
        private var pause: Duration {
            guard !isVerified else { return AvailabilityWatch.rest.otherwise }
            // From the fifth failure on, the limit.
            let doublings = max(0, min(failures - 1, 4))
            return min(AvailabilityWatch.rest.otherwise, AvailabilityWatch.firstPause * (1 << doublings))
        }
    }

    private struct Watched {
        /// In the order of ``accounts``.
        var seen: [Seen]
        var isBreakerOpen = false
    }

    /// How long an account rests that answered, and how long one that did not.
    static let rest = (answering: Duration.seconds(30), otherwise: Duration.seconds(5))
    /// The pause after the first failure of an account that was never verified. Each further failure doubles it, up to `rest.otherwise`.
    static let firstPause = Duration.milliseconds(500)

    private let gateway: String
    private let accounts: [String]
    private let logger: Logger?
    private let now: @Sendable () -> ContinuousClock.Instant
    private let state: Mutex<Watched>

    /// - Parameters:
    ///   - gateway: its title.
    ///   - accounts: the merchant's names of them.
    ///   - logger: is told when an account cannot be charged, and when it can be.
    package init(
        of gateway: String, accounts: [String], logger: Logger? = nil,
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
    ) {
        self.gateway = gateway
        self.accounts = accounts
        self.logger = logger
        self.now = now
        let seen = Seen(due: now() + Self.rest.answering)
        state = Mutex(Watched(seen: Array(repeating: seen, count: accounts.count)))
    }

    /// In the order of the configuration.
    package var all: [AccountAvailability] {
        state.withLock { state in
            zip(accounts, state.seen).map { account, seen in
                AccountAvailability(
                    gateway: gateway, account: account,
                    state: state.isBreakerOpen ? .circuitBreakerOpen : seen.state, lastAnswer: seen.lastAnswer,
                    whyNotCharged: seen.isVerified
                        ? nil : whyUnverified(seen, isBreakerOpen: state.isBreakerOpen).reason)
            }
        }
    }

    /// Has each account queried that was never queried, soon. Operators look at it, and a payment may follow.
    package func querySoon() {
        let moment = now()
        state.withLock { state in
            for index in state.seen.indices where state.seen[index].state == .notAsked && !state.seen[index].isVerified
            {
                state.seen[index].due = min(state.seen[index].due, moment)
            }
        }
    }

    /// The accounts that are to be asked, and count as asked. None while the circuit breaker is open: it has a probe of its own.
    package func takeDue() -> [String] {
        let moment = now()
        return state.withLock { state in
            guard !state.isBreakerOpen else { return [] }
            return state.seen.indices.filter { state.seen[$0].due <= moment }.map { index in
                state.seen[index].due = moment + Self.rest.answering
                return accounts[index]
            }
        }
    }

    package func circuitBreakerChanged(isClosed: Bool) {
        let moment = now()
        state.withLock { state in
            state.isBreakerOpen = !isClosed
            guard isClosed else { return }
            for index in state.seen.indices {
                state.seen[index].state = .notAsked
                state.seen[index].due = moment
                // The next charge queries the account itself.
                state.seen[index].firstQuery = nil
            }
        }
    }

    /// - Parameters:
    ///   - seenState: how it answered; nil where a request was not sent, which tells nothing and has it asked. A request of a payment is
    ///     also not sent for want of a place; a question is not sent only where the gateway cannot be reached.
    ///   - isVerified: whether the answer is proven to be the gateway's and to be about this account.
    ///   - failure: why the answer was not verified, or did not come, and which setting to look at: sentences without the last full stop.
    ///     `nil` if the answer was verified.
    package func observe(
        _ account: String, _ seenState: AccountAvailability.State?, isVerified: Bool, failure: String? = nil
    ) {
        guard let index = accounts.firstIndex(of: account) else { return }
        let moment = now()
        let (before, after) = state.withLock { state -> (Seen, Seen) in
            let before = state.seen[index]
            if let seenState {
                state.seen[index].note(seenState, isVerified: isVerified, failure: failure, at: moment)
            } else {
                state.seen[index].due = min(state.seen[index].due, moment)
            }
            return (before, state.seen[index])
        }
        log(account, before, after)
    }

    /// Logs when an account can be charged at last, and each new reason why it cannot be charged.
    private func log(_ account: String, _ before: Seen, _ after: Seen) {
        guard let logger, !before.isVerified else { return }
        if after.isVerified {
            logger.notice("\(gateway) account verified: it can be charged", metadata: ["account": "\(account)"])
        } else if let failure = after.failure, failure != before.failure {
            logger.error(
                "\(gateway) account not verified: nothing is charged",
                metadata: ["account": "\(account)", "reason": "\(failure)"])
        }
    }

    // MARK: Charges

    /// Returns why an account cannot be charged yet; `nil` if it can be charged. If no charge needed an answer before, this queries the
    /// account and waits for the end of the query. While that query runs, further calls wait for it.
    ///
    /// - Parameter query: queries the account, with a time limit; the watch is told of the answer by ``observe(_:_:isVerified:failure:)``.
    func whyUnverified(
        _ account: String, query: @escaping @Sendable (_ account: String) async -> Void
    ) async -> UnverifiedAccount? {
        // An account that is not here has no client: the charge itself says that nothing was sent.
        guard let index = accounts.firstIndex(of: account) else { return nil }
        let moment = now()
        let firstQuery = state.withLock { state -> Task<Void, Never>? in
            let seen = state.seen[index]
            guard !seen.isVerified, !state.isBreakerOpen else { return nil }
            if let firstQuery = seen.firstQuery { return firstQuery }
            let firstQuery = Task { await query(account) }
            state.seen[index].firstQuery = firstQuery
            // The query counts as made: the probe does not make a second one beside it.
            state.seen[index].due = moment + Self.rest.otherwise
            return firstQuery
        }
        await firstQuery?.value
        return state.withLock { state in
            let seen = state.seen[index]
            return seen.isVerified ? nil : whyUnverified(seen, isBreakerOpen: state.isBreakerOpen)
        }
    }

    private func whyUnverified(_ seen: Seen, isBreakerOpen: Bool) -> UnverifiedAccount {
        let failure: String =
            if isBreakerOpen {
                "\(gateway) has not answered of late, and is asked again until it does"
            } else {
                seen.failure ?? "The account was not queried yet"
            }
        return UnverifiedAccount(
            isAnswering: !isBreakerOpen && [.unproven, .refusing].contains(seen.state),
            reason: "no answer of \(gateway) for the account has been verified since the relay started. \(failure)")
    }
}

/// Asks about each account without recent requests, by a question that changes nothing. So an outage, or a wrong secret, is seen before
/// the next payment, and an account is verified before its first charge.
package struct AccountProbe: Service {
    let watch: AvailabilityWatch
    let ask: @Sendable (_ account: String) async -> Void

    package static let timeout = Duration.seconds(5)

    /// - Parameter ask: asks about an account; the watch is told by who observes the exchange.
    package init(_ watch: AvailabilityWatch, ask: @escaping @Sendable (_ account: String) async -> Void) {
        self.watch = watch
        self.ask = ask
    }

    package func run() async {
        await cancelWhenGracefulShutdown {
            // An account that is not answered for does not delay the query of another.
            await withDiscardingTaskGroup { group in
                while !Task.isCancelled {
                    for account in watch.takeDue() { group.addTask { await ask(account) } }
                    try? await Task.sleep(for: .milliseconds(500))
                }
            }
        }
    }

    /// Asks about each account that is due, and returns when all questions have ended.
    package func askDue() async {
        await withTaskGroup(of: Void.self) { group in
            for account in watch.takeDue() {
                group.addTask { await ask(account) }
            }
        }
    }

    /// See ``Gateway/whyUnverified(_:)``.
    package func whyUnverified(_ account: String) async -> UnverifiedAccount? {
        await watch.whyUnverified(account, query: ask)
    }
}

/// Probes a gateway while its circuit breaker is open, and closes it once the gateway answers. Without it an open breaker never closes.
package struct CircuitBreakerProbe: Service {
    let watch: @Sendable () async -> Void

    /// - Parameter watch: ``GuardedTransport/watch(_:with:)``.
    package init(_ watch: @escaping @Sendable () async -> Void) {
        self.watch = watch
    }

    package func run() async { await cancelWhenGracefulShutdown { await watch() } }
}
