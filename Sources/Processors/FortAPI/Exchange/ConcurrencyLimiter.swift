import Synchronization

/// Which requests may be in flight to FORT, and which wait for a place, first come, first served. Pure.
struct ConcurrencyLimit {
    /// One request, while it is here.
    typealias Ticket = UInt64

    enum Entry: Equatable {
        case entered
        /// Until ``leave()`` of another names it, or it gives up.
        case waiting
        /// As many wait as may.
        case full
    }

    private var inside = 0
    private var queue: [Ticket] = []
    /// How many may be in flight; as many may wait.
    let limit: Int

    init(limit: Int) {
        self.limit = limit
    }

    mutating func enter(_ ticket: Ticket) -> Entry {
        if inside < limit {
            inside += 1
            return .entered
        }
        guard queue.count < limit else { return .full }
        queue.append(ticket)
        return .waiting
    }

    /// - Returns: the request that enters in its place.
    mutating func leave() -> Ticket? {
        if queue.isEmpty {
            inside -= 1
            return nil
        }
        return queue.removeFirst()
    }

    /// - Returns: false where it has entered meanwhile.
    mutating func giveUp(_ ticket: Ticket) -> Bool {
        guard let place = queue.firstIndex(of: ticket) else { return false }
        queue.remove(at: place)
        return true
    }
}

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

    /// - Returns: false where there was no place in time. After true, ``leave()`` must be called.
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
