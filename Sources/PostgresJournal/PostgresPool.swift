import Synchronization

/// A fixed number of connections, and the statements that wait for one: first come, first served. A connection that is
/// done with one takes the next by itself and stays on its thread, so that it is never idle while anything waits.
final class PostgresPool: Sendable {
    /// A statement, and the task that waits for its answer.
    struct Job: Sendable {
        let statement: PostgresStatement
        let values: [PostgresValue]
        let deadline: ContinuousClock.Instant
        let continuation: CheckedContinuation<Result<PostgresAnswer, PostgresError>, Never>
    }

    private struct State {
        /// The one used last is taken first: it is the most likely to be connected.
        var idle: [PostgresConnection]
        var waiting: [Job] = []
    }

    private let settings: PostgresSettings
    private let state: Mutex<State>

    init(url: PostgresURL, settings: PostgresSettings) {
        self.settings = settings
        state = Mutex(
            State(
                idle: (0..<max(1, settings.connections)).map { _ in PostgresConnection(url: url, settings: settings) }))
    }

    /// Runs a statement on the next connection that is free.
    ///
    /// - Throws: ``PostgresError/noFreeConnection`` where too many wait, or none came free in time.
    func run(_ statement: PostgresStatement, _ values: [PostgresValue]) async throws(PostgresError) -> PostgresAnswer {
        try await withCheckedContinuation { continuation in
            let deadline = ContinuousClock.now + settings.waitTimeout
            submit(Job(statement: statement, values: values, deadline: deadline, continuation: continuation))
        }.get()
    }

    private func submit(_ job: Job) {
        let (connection, isAccepted) = state.withLock { state in
            if let connection = state.idle.popLast() { return (PostgresConnection?.some(connection), true) }
            guard state.waiting.count < settings.waitersAtMost else { return (nil, false) }
            state.waiting.append(job)
            return (nil, true)
        }
        if !isAccepted { job.continuation.resume(returning: .failure(.noFreeConnection)) }
        if let connection { Task { await connection.workOff(job, of: self) } }
    }

    /// For a connection that is done: the next statement, or nil, and then the connection counts as idle.
    ///
    /// Statements that have waited too long fail here. A connection is never away for longer than its own timeouts and
    /// the system's for looking up a name, and no timer is needed.
    func next(for connection: PostgresConnection) -> Job? {
        let (late, next) = state.withLock { state in
            let now = ContinuousClock.now
            let count = state.waiting.firstIndex { $0.deadline > now } ?? state.waiting.count
            // Without a slice of those that wait: while one is held, to remove any copies them all.
            let late = (0..<count).map { state.waiting[$0] }
            if count > 0 { state.waiting.removeFirst(count) }
            guard !state.waiting.isEmpty else {
                state.idle.append(connection)
                return (late, Job?.none)
            }
            return (late, state.waiting.removeFirst())
        }
        for job in late { job.continuation.resume(returning: .failure(.noFreeConnection)) }
        return next
    }
}
