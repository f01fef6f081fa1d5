import Synchronization

/// Lets a limited number of tasks go on at once; some more wait, first come, first served, and the rest are turned away.
///
/// ```swift
/// guard await limiter.enter(as: client) else { throw overloaded }
/// defer { limiter.leave() }
/// ```
public final class ConcurrencyLimiter: Sendable {
    private struct State {
        var places: Places
        var waiting: [Places.Ticket: CheckedContinuation<Bool, Never>] = [:]
        var lastTicket: Places.Ticket = 0
    }

    private let state: Mutex<State>
    private let patience: Duration?
    private let sleep: @Sendable (Duration) async throws -> Void

    /// - Parameters:
    ///   - waitersAtMost: how many tasks may wait, in all and of one asker.
    ///   - patience: how long a task waits; nil for as long as it takes.
    public init(
        limit: Int, waitersAtMost: (inAll: Int, ofOne: Int), patience: Duration? = nil,
        sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    ) {
        state = Mutex(State(places: Places(limit: limit, waitersAtMost: waitersAtMost)))
        self.patience = patience
        self.sleep = sleep
    }

    /// Waits for a place.
    ///
    /// - Parameter asker: whom the task is for; those of one asker have a share of their own of the places to wait.
    /// - Returns: false where there was no place to wait, or none in time. After true, ``leave()`` must be called.
    public func enter(as asker: String? = nil) async -> Bool {
        await withCheckedContinuation { continuation in
            let (ticket, entry) = state.withLock { state in
                state.lastTicket += 1
                let entry = state.places.enter(state.lastTicket, as: asker)
                if entry == .waiting { state.waiting[state.lastTicket] = continuation }
                return (state.lastTicket, entry)
            }
            switch entry {
            case .entered: continuation.resume(returning: true)
            case .full: continuation.resume(returning: false)
            case .waiting:
                guard let patience else { return }
                Task {
                    try? await sleep(patience)
                    giveUp(ticket)
                }
            }
        }
    }

    public func leave() {
        let next: CheckedContinuation<Bool, Never>? = state.withLock { state in
            state.places.leave().flatMap { state.waiting.removeValue(forKey: $0) }
        }
        next?.resume(returning: true)
    }

    /// Changes how many may go on at once. Those that do already go on.
    public func change(limit: Int) {
        let entering: [CheckedContinuation<Bool, Never>] = state.withLock { state in
            state.places.change(limit: limit).compactMap { state.waiting.removeValue(forKey: $0) }
        }
        for continuation in entering { continuation.resume(returning: true) }
    }

    private func giveUp(_ ticket: Places.Ticket) {
        let continuation: CheckedContinuation<Bool, Never>? = state.withLock { state in
            state.places.giveUp(ticket) ? state.waiting.removeValue(forKey: ticket) : nil
        }
        continuation?.resume(returning: false)
    }
}
