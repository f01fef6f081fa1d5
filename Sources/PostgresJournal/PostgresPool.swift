import Synchronization

/// A fixed number of connections, each lent to one task at a time, in the order in which they ask.
final class PostgresPool: Sendable {
    private struct Waiter {
        let deadline: ContinuousClock.Instant
        let continuation: CheckedContinuation<PostgresConnection?, Never>
    }

    private struct State {
        /// The one used last is lent first: it is the most likely to be connected and warm.
        var idle: [PostgresConnection]
        var waiting: [Waiter] = []
    }

    private let settings: PostgresSettings
    private let state: Mutex<State>

    init(url: PostgresURL, settings: PostgresSettings) {
        self.settings = settings
        state = Mutex(
            State(
                idle: (0..<max(1, settings.connections)).map { _ in PostgresConnection(url: url, settings: settings) }))
    }

    /// Lends a connection for as long as the body runs.
    ///
    /// - Throws: ``PostgresError/noFreeConnection`` where too many wait, or none came free in time.
    func withConnection<Result: Sendable>(
        _ body: (PostgresConnection) async throws(PostgresError) -> Result
    ) async throws(PostgresError) -> Result {
        guard let connection = await take() else { throw .noFreeConnection }
        defer { giveBack(connection) }
        return try await body(connection)
    }

    /// nil where there is none to be had.
    private func take() async -> PostgresConnection? {
        await withCheckedContinuation { continuation in
            let (connection, waits) = state.withLock { state in
                if let connection = state.idle.popLast() { return (PostgresConnection?.some(connection), false) }
                guard state.waiting.count < settings.waitersAtMost else { return (nil, false) }
                state.waiting.append(Waiter(deadline: .now + settings.waitTimeout, continuation: continuation))
                return (nil, true)
            }
            if !waits { continuation.resume(returning: connection) }
        }
    }

    /// Hands the connection on. Who has waited too long is told so here: a connection is never away for longer than its
    /// own timeouts and the system's for looking up a name, and no clock has to be kept.
    private func giveBack(_ connection: PostgresConnection) {
        let (late, next) = state.withLock { state in
            let late = state.waiting.prefix { $0.deadline <= .now }
            state.waiting.removeFirst(late.count)
            guard !state.waiting.isEmpty else {
                state.idle.append(connection)
                return (late, Waiter?.none)
            }
            return (late, state.waiting.removeFirst())
        }
        for waiter in late { waiter.continuation.resume(returning: nil) }
        next?.continuation.resume(returning: connection)
    }
}
