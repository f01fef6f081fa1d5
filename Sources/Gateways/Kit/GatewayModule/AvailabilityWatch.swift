import FoundationEssentials
package import Logging
package import PaymentRelay
import PayrelayPrimitives
package import RelayServer
import ServiceLifecycle
import Synchronization

/// The availability of a gateway for each of the merchant's accounts, and which accounts can be charged. An
/// account without requests is queried from time to time.
///
/// An account can be charged after the first verified answer for it since this process started, and stays
/// chargeable after that. Later failures are handled by the circuit breaker and by the outcome of each payment.
package final class AvailabilityWatch: Sendable {
    private struct Seen {
        var state = AccountAvailability.State.notAsked
        /// When the last verified answer came.
        var lastAnswer: Date?
        /// Why the last answer was not verified or did not come; `nil` before the first query and after a
        /// verified answer.
        var failure: String?
        /// The number of successive answers that were not verified or did not come.
        var failures = 0
        /// When the next query is due.
        var due: ContinuousClock.Instant
        /// The first query, which the first charges wait for; `nil` if no charge has needed it.
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

        /// The pause before the next query of an account that did not answer as expected.
        private var pause: Duration {
            guard !isVerified else { return AvailabilityWatch.rest.otherwise }
            // After the fifth failure, the pause stays at its limit.
            let doublings = max(0, min(failures - 1, 4))
            return min(AvailabilityWatch.rest.otherwise, AvailabilityWatch.firstPause * (1 << doublings))
        }
    }

    private struct Watched {
        /// The state of each account, in the order of ``accounts``.
        var seen: [Seen]
        var isBreakerOpen = false
    }

    /// The time until the next query: after an answer as expected, and otherwise.
    static let rest = (answering: Duration.seconds(30), otherwise: Duration.seconds(5))
    /// The pause after the first failure of an account that was never verified. Each further failure doubles the
    /// pause, up to `rest.otherwise`.
    static let firstPause = Duration.milliseconds(500)

    private let gateway: String
    private let accounts: [String]
    private let logger: Logger?
    private let now: @Sendable () -> ContinuousClock.Instant
    private let state: Mutex<Watched>

    /// - Parameters:
    ///   - gateway: the gateway's title.
    ///   - accounts: the merchant's names of the accounts.
    ///   - logger: logs when an account cannot be charged, and when it can be charged again.
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

    /// The availability of all accounts, in the order of the configuration.
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

    /// Makes the accounts that were never queried due now, because an operator is looking at them and a payment
    /// may follow.
    package func querySoon() {
        let moment = now()
        state.withLock { state in
            for index in state.seen.indices where state.seen[index].state == .notAsked && !state.seen[index].isVerified
            {
                state.seen[index].due = min(state.seen[index].due, moment)
            }
        }
    }

    /// Returns the accounts whose query is due, and counts them as queried. Returns none while the circuit
    /// breaker is open, because the breaker has its own probe.
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

    /// Records the result of a request for an account.
    ///
    /// - Parameters:
    ///   - seenState: the state that the answer shows. `nil` if the request was not sent, which shows nothing, so
    ///     the account is queried soon. A payment's request may also be unsent because no slot was free; a query
    ///     is unsent only if the gateway cannot be reached.
    ///   - isVerified: whether the answer is proven to come from the gateway and to be about this account.
    ///   - failure: why the answer was not verified or did not come, and which setting to check: sentences
    ///     without the last full stop. `nil` if the answer was verified.
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

    /// Logs when an account can be charged for the first time, and each new reason why it cannot be charged.
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

    /// Returns why an account cannot be charged yet; `nil` if it can be charged. The first call for an unverified
    /// account queries the account and waits for the end of the query. Further calls wait for the same query.
    ///
    /// - Parameter query: queries the account, with a time limit. The result must be reported with
    ///   ``observe(_:_:isVerified:failure:)``.
    func whyUnverified(
        _ account: String, query: @escaping @Sendable (_ account: String) async -> Void
    ) async -> UnverifiedAccount? {
        // An unknown account has no client, so the charge itself reports that nothing was sent.
        guard let index = accounts.firstIndex(of: account) else { return nil }
        let moment = now()
        let firstQuery = state.withLock { state -> Task<Void, Never>? in
            let seen = state.seen[index]
            guard !seen.isVerified, !state.isBreakerOpen else { return nil }
            if let firstQuery = seen.firstQuery { return firstQuery }
            let firstQuery = Task { await query(account) }
            state.seen[index].firstQuery = firstQuery
            // The query counts as made, so that the probe does not send another one at the same time.
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
                "\(gateway) has not answered recently, and is queried again until it does"
            } else {
                seen.failure ?? "The account was not queried yet"
            }
        return UnverifiedAccount(
            isAnswering: !isBreakerOpen && [.unproven, .refusing].contains(seen.state),
            reason: "no answer of \(gateway) for the account has been verified since the relay started. \(failure)")
    }
}

/// A service that queries each account without recent requests, without changing anything. So an outage or a
/// wrong secret is noticed before the next payment, and an account is verified before its first charge.
package struct AccountProbe: Service {
    let watch: AvailabilityWatch
    let ask: @Sendable (_ account: String) async -> Void

    package static let timeout = Duration.seconds(5)

    /// - Parameter ask: queries an account. The observer of the exchange reports the result to the watch.
    package init(_ watch: AvailabilityWatch, ask: @escaping @Sendable (_ account: String) async -> Void) {
        self.watch = watch
        self.ask = ask
    }

    package func run() async {
        await cancelWhenGracefulShutdown {
            // An account that does not get an answer must not delay the queries of other accounts.
            await withDiscardingTaskGroup { group in
                while !Task.isCancelled {
                    for account in watch.takeDue() { group.addTask { await ask(account) } }
                    try? await Task.sleep(for: .milliseconds(500))
                }
            }
        }
    }

    /// Queries each account that is due, and returns when all queries have ended.
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

/// A service that probes a gateway while its circuit breaker is open, and closes the breaker when the gateway
/// answers. Without this service, an open breaker never closes.
package struct CircuitBreakerProbe: Service {
    let watch: @Sendable () async -> Void

    /// - Parameter watch: ``GuardedTransport/watch(_:with:)``.
    package init(_ watch: @escaping @Sendable () async -> Void) {
        self.watch = watch
    }

    package func run() async { await cancelWhenGracefulShutdown { await watch() } }
}
