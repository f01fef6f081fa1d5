import FoundationEssentials
package import RelayServer
import PayrelayPrimitives
import ServiceLifecycle
import Synchronization

/// How a gateway answers for each of the merchant's accounts. Operators see it; no payment depends on it. An account without requests
/// gets a question from time to time.
package final class AvailabilityWatch: Sendable {
    private struct Seen {
        var state = AccountAvailability.State.notAsked
        var lastAnswer: Date?
        /// When the next question is due.
        var due: ContinuousClock.Instant
    }

    private struct Watched {
        /// In the order of ``accounts``.
        var seen: [Seen]
        var isBreakerOpen = false
    }

    /// How long an account rests that answered, and how long one that did not.
    static let rest = (answering: Duration.seconds(30), otherwise: Duration.seconds(5))

    private let processor: String
    private let accounts: [String]
    private let now: @Sendable () -> ContinuousClock.Instant
    private let state: Mutex<Watched>

    /// - Parameters:
    ///   - processor: its title.
    ///   - accounts: the merchant's names of them.
    package init(
        of processor: String, accounts: [String], now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
    ) {
        self.processor = processor
        self.accounts = accounts
        self.now = now
        let seen = Seen(due: now() + Self.rest.answering)
        state = Mutex(Watched(seen: Array(repeating: seen, count: accounts.count)))
    }

    /// In the order of the configuration.
    package var all: [AccountAvailability] {
        state.withLock { state in
            zip(accounts, state.seen).map { account, seen in
                AccountAvailability(
                    processor: processor, account: account,
                    state: state.isBreakerOpen ? .circuitBreakerOpen : seen.state, lastAnswer: seen.lastAnswer)
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
            }
        }
    }

    /// - Parameters:
    ///   - seenState: how it answered; nil where a request was not sent, which tells nothing and has it asked. A request of a payment is
    ///     also not sent for want of a place; a question is not sent only where the gateway cannot be reached.
    ///   - isVerified: whether the answer is proven to be the gateway's.
    package func observe(_ account: String, _ seenState: AccountAvailability.State?, isVerified: Bool) {
        guard let index = accounts.firstIndex(of: account) else { return }
        let moment = now()
        state.withLock { state in
            guard let seenState else {
                state.seen[index].due = min(state.seen[index].due, moment)
                return
            }
            state.seen[index].state = seenState
            state.seen[index].due = moment + (seenState == .answering ? Self.rest.answering : Self.rest.otherwise)
            if isVerified { state.seen[index].lastAnswer = Date() }
        }
    }
}

/// Asks about each account without recent requests, by a question that changes nothing. So an outage, or a wrong secret, is seen before
/// the next payment.
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
            while !Task.isCancelled {
                await askDue()
                try? await Task.sleep(for: .milliseconds(500))
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
