import Synchronization

/// Where tasks wait for a place in a ``Bulkhead``.
final class BulkheadDoor: Sendable {
    private struct State {
        var bulkhead: Bulkhead
        var waiting: [Bulkhead.Ticket: CheckedContinuation<Bool, Never>] = [:]
        var lastTicket: Bulkhead.Ticket = 0
    }

    private let state: Mutex<State>
    private let patience: Duration
    private let sleep: @Sendable (Duration) async throws -> Void

    /// - Parameter patience: how long a task waits.
    init(limit: Int, patience: Duration, sleep: @escaping @Sendable (Duration) async throws -> Void) {
        state = Mutex(State(bulkhead: Bulkhead(limit: limit)))
        self.patience = patience
        self.sleep = sleep
    }

    /// - Returns: false where there was no place in time. Whoever got one has to ``leave()``.
    func enter() async -> Bool {
        await withCheckedContinuation { caller in
            let (ticket, entry) = state.withLock { state in
                state.lastTicket += 1
                let entry = state.bulkhead.enter(state.lastTicket)
                if entry == .waiting { state.waiting[state.lastTicket] = caller }
                return (state.lastTicket, entry)
            }
            switch entry {
            case .entered: caller.resume(returning: true)
            case .full: caller.resume(returning: false)
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
            state.bulkhead.leave().flatMap { state.waiting.removeValue(forKey: $0) }
        }
        next?.resume(returning: true)
    }

    private func giveUp(_ ticket: Bulkhead.Ticket) {
        let caller: CheckedContinuation<Bool, Never>? = state.withLock { state in
            state.bulkhead.giveUp(ticket) ? state.waiting.removeValue(forKey: ticket) : nil
        }
        caller?.resume(returning: false)
    }
}
