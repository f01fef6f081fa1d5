import Synchronization

/// Where tasks wait for a place in a ``ConcurrencyLimit``.
final class ConcurrencyLimiter: Sendable {
    private struct State {
        var limit: ConcurrencyLimit
        var waiting: [ConcurrencyLimit.Ticket: CheckedContinuation<Bool, Never>] = [:]
        var lastTicket: ConcurrencyLimit.Ticket = 0
    }

    private let state: Mutex<State>
    private let patience: Duration
    private let sleep: @Sendable (Duration) async throws -> Void

    /// - Parameter patience: how long a task waits.
    init(limit: Int, patience: Duration, sleep: @escaping @Sendable (Duration) async throws -> Void) {
        state = Mutex(State(limit: ConcurrencyLimit(limit: limit)))
        self.patience = patience
        self.sleep = sleep
    }

    /// - Returns: false where there was no place in time. Whoever got one has to ``leave()``.
    func enter() async -> Bool {
        await withCheckedContinuation { continuation in
            let (ticket, entry) = state.withLock { state in
                state.lastTicket += 1
                let entry = state.limit.enter(state.lastTicket)
                if entry == .waiting { state.waiting[state.lastTicket] = continuation }
                return (state.lastTicket, entry)
            }
            switch entry {
            case .entered: continuation.resume(returning: true)
            case .full: continuation.resume(returning: false)
            case .waiting:
                Task {
                    try? await sleep(patience)
                    giveUp(ticket)
                }
            }
        }
    }

    func leave() {
        let next: CheckedContinuation<Bool, Never>? = state.withLock { state in
            state.limit.leave().flatMap { state.waiting.removeValue(forKey: $0) }
        }
        next?.resume(returning: true)
    }

    private func giveUp(_ ticket: ConcurrencyLimit.Ticket) {
        let continuation: CheckedContinuation<Bool, Never>? = state.withLock { state in
            state.limit.giveUp(ticket) ? state.waiting.removeValue(forKey: ticket) : nil
        }
        continuation?.resume(returning: false)
    }
}
