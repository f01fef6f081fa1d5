import Synchronization

/// Lets a limited number of tasks go on at once; some more wait, first come, first served, and the rest are turned away.
///
/// ```swift
/// guard await limiter.enter(as: client) else { throw overloaded }
/// defer { limiter.leave() }
/// ```
public final class ConcurrencyLimiter: Sendable {
    private let places: Mutex<Places<CheckedContinuation<Bool, Never>>>
    private let patience: Duration?
    private let sleep: @Sendable (Duration) async throws -> Void

    /// - Parameters:
    ///   - waitersAtMost: how many tasks may wait, in all and of one asker.
    ///   - patience: how long a task waits; nil for as long as it takes.
    public init(
        limit: Int, waitersAtMost: (inAll: Int, ofOne: Int), patience: Duration? = nil,
        sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    ) {
        places = Mutex(Places(limit: limit, waitersAtMost: waitersAtMost))
        self.patience = patience
        self.sleep = sleep
    }

    /// Waits for a place.
    ///
    /// - Parameter asker: whom the task is for; those of one asker have a share of their own of the places to wait.
    /// - Returns: false where there was no place to wait, or none in time. After true, ``leave()`` must be called.
    public func enter(as asker: String? = nil) async -> Bool {
        await withCheckedContinuation { continuation in
            switch places.withLock({ $0.enter(continuation, as: asker) }) {
            case .entered: continuation.resume(returning: true)
            case .full: continuation.resume(returning: false)
            case .waiting(let ticket):
                guard let patience else { return }
                Task {
                    try? await sleep(patience)
                    giveUp(ticket)
                }
            }
        }
    }

    public func leave() {
        places.withLock { $0.leave() }?.resume(returning: true)
    }

    /// Changes how many may go on at once. Those that do already go on.
    public func change(limit: Int) {
        let entering = places.withLock { $0.change(limit: limit) }
        for continuation in entering { continuation.resume(returning: true) }
    }

    private func giveUp(_ ticket: UInt64) {
        places.withLock { $0.giveUp(ticket) }?.resume(returning: false)
    }
}
