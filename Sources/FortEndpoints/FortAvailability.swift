import FortAPI
import FoundationEssentials
import OutboundHTTP
import RelayServer
import Synchronization

/// How FORT answers for each account, for operators, and when it is to be asked because nobody else has asked. It decides nothing.
final class FortAvailability: Sendable {
    private struct Seen {
        var state = AccountAvailability.State.notAsked
        var lastAnswer: Date?
        /// When a question is due.
        var due: Duration
    }

    /// How long an account rests that answered, and how long one that did not.
    static let rest = (answering: Duration.seconds(30), otherwise: Duration.seconds(5))

    private let accounts: [FortAccounts.Entry]
    private let now: @Sendable () -> Duration
    private let state: Mutex<(seen: [Seen], isBreakerOpen: Bool)>

    /// - Parameter now: how much time has passed since some moment.
    init(of accounts: FortAccounts, now: @escaping @Sendable () -> Duration = FortAvailability.continuous) {
        self.accounts = accounts.entries
        self.now = now
        let seen = Seen(due: now() + Self.rest.answering)
        state = Mutex((Array(repeating: seen, count: accounts.entries.count), false))
    }

    static let continuous: @Sendable () -> Duration = {
        let start = ContinuousClock.now
        return { start.duration(to: .now) }
    }()

    /// In the order of the configuration.
    var all: [AccountAvailability] {
        state.withLock { state in
            zip(accounts, state.seen).map { entry, seen in
                AccountAvailability(
                    account: entry.name, state: state.isBreakerOpen ? .circuitBreakerOpen : seen.state,
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

    func observe(_ exchange: FortExchange) {
        guard let index = accounts.firstIndex(where: { $0.account.accessCode == exchange.accessCode }) else { return }
        let moment = now()
        let seenState = exchange.availability
        state.withLock { state in
            guard let seenState else {
                // Nothing was sent, perhaps for want of a place: the question tells.
                state.seen[index].due = min(state.seen[index].due, moment)
                return
            }
            state.seen[index].state = seenState
            state.seen[index].due = moment + (seenState == .answering ? Self.rest.answering : Self.rest.otherwise)
            if case .success = exchange.result { state.seen[index].lastAnswer = Date() }
        }
    }

    /// A question that was not sent by itself: FORT cannot be reached.
    func observeUnsentQuestion(about entry: FortAccounts.Entry) {
        guard let index = accounts.firstIndex(where: { $0.name == entry.name }) else { return }
        let due = now() + Self.rest.otherwise
        state.withLock { state in
            state.seen[index].state = .notAnswering
            state.seen[index].due = due
        }
    }
}

extension FortExchange {
    /// What it tells; nil where it was not sent, which tells nothing of FORT.
    fileprivate var availability: AccountAvailability.State? {
        switch result {
        // Another command may be refused for its own sake.
        case .success(let answer):
            command == .checkStatus && [.signature, .configuration].contains(answer.class) ? .refusing : .answering
        case .failure(.outbound(.notSent)): nil
        case .failure(.outbound(.noAnswer)): .notAnswering
        // A gateway in front of FORT.
        case .failure(.unverified(.httpStatus(500...))): .notAnswering
        case .failure(.unverified): .unproven
        }
    }
}
