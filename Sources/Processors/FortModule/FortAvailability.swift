import FortAPI
import OutboundHTTP
import FoundationEssentials
import PayrelayPrimitives
import RelayServer
import Synchronization

/// How FORT answers for each account. Operators see it; no payment depends on it. An account without requests gets a question from time to
/// time.
final class FortAvailability: Sendable {
    private struct Seen {
        var state = AccountAvailability.State.notAsked
        var lastAnswer: Date?
        /// When the next question is due.
        var due: ContinuousClock.Instant
    }

    /// How long an account rests that answered, and how long one that did not.
    static let rest = (answering: Duration.seconds(30), otherwise: Duration.seconds(5))

    private let accounts: [FortAccounts.Entry]
    private let now: @Sendable () -> ContinuousClock.Instant
    private let state: Mutex<(seen: [Seen], isBreakerOpen: Bool)>

    init(of accounts: FortAccounts, now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }) {
        self.accounts = accounts.entries
        self.now = now
        let seen = Seen(due: now() + Self.rest.answering)
        state = Mutex((Array(repeating: seen, count: accounts.entries.count), false))
    }

    /// In the order of the configuration.
    var all: [AccountAvailability] {
        state.withLock { state in
            zip(accounts, state.seen).map { entry, seen in
                AccountAvailability(
                    processor: FortModule.title, account: entry.name,
                    state: state.isBreakerOpen ? .circuitBreakerOpen : seen.state,
                    lastAnswer: seen.lastAnswer)
            }
        }
    }

    /// What is due, and counts as asked. Nothing while the circuit breaker is open: it has a probe of its own.
    func takeDue() -> [FortAccounts.Entry] {
        let moment = now()
        return state.withLock { state in
            guard !state.isBreakerOpen else { return [] }
            return state.seen.indices.filter { state.seen[$0].due <= moment }.map { index in
                state.seen[index].due = moment + Self.rest.answering
                return accounts[index]
            }
        }
    }

    func circuitBreakerChanged(isClosed: Bool) {
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

    /// - Parameter isQuestion: whether it was sent to find out how FORT answers. A request of a payment is also not sent for want of a
    ///   place; a question is not sent only where FORT cannot be reached.
    func observe(_ exchange: FortExchange, isQuestion: Bool = false) {
        guard let index = accounts.firstIndex(where: { $0.account.accessCode == exchange.accessCode }) else { return }
        let moment = now()
        let seenState = exchange.availability ?? (isQuestion ? .notAnswering : nil)
        state.withLock { state in
            guard let seenState else {
                state.seen[index].due = min(state.seen[index].due, moment)
                return
            }
            state.seen[index].state = seenState
            state.seen[index].due = moment + (seenState == .answering ? Self.rest.answering : Self.rest.otherwise)
            if case .answered(.success) = exchange.outcome { state.seen[index].lastAnswer = Date() }
        }
    }
}

extension FortExchange {
    /// How FORT answered; nil where nothing was sent.
    fileprivate var availability: AccountAvailability.State? {
        switch outcome {
        // Another command may be refused for its own sake.
        case .answered(.success(let answer)):
            command == .checkStatus && [.signature, .configuration].contains(answer.class) ? .refusing : .answering
        case .notSent: nil
        case .unknown: .notAnswering
        // A gateway in front of FORT.
        case .answered(.failure(.httpStatus(500...))): .notAnswering
        case .answered(.failure): .unproven
        }
    }
}
