import Synchronization

/// A fixed number of connections, and the statements that wait for one: first come, first served. A connection that is
/// done with one takes the next by itself and stays on its thread, so that it is never idle while anything waits.
///
/// Statements that wait next to each other and may share a commit are taken together: a commit costs the server one wait for its disk,
/// however much it holds.
final class PostgresPool: Sendable {
    /// A statement, and the task that waits for its answer.
    struct Job: Sendable {
        let statement: PostgresStatement
        let values: [PostgresValue]
        let deadline: ContinuousClock.Instant
        let continuation: CheckedContinuation<Result<PostgresAnswer, PostgresError>, Never>
        /// Whether it is to have a transaction of its own, after one that it shared was undone.
        var isAlone = false

        var mayShare: Bool { statement.sharesCommits && !isAlone }
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

    /// How many wait for a connection.
    var waitingCount: Int { state.withLock { $0.waiting.count } }

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
        if let connection { Task { await connection.workOff([job], of: self) } }
    }

    /// For a connection that is done: the next statement, several that may share a commit, or none, and then the connection counts
    /// as idle.
    ///
    /// Statements that have waited too long fail here. A connection is never away for longer than its own timeouts and
    /// the system's for looking up a name, and no timer is needed.
    func next(for connection: PostgresConnection) -> [Job] {
        let (late, next) = state.withLock { state in
            let now = ContinuousClock.now
            let count = state.waiting.firstIndex { $0.deadline > now } ?? state.waiting.count
            // Without a slice of those that wait: while one is held, to remove any copies them all.
            let late = (0..<count).map { state.waiting[$0] }
            if count > 0 { state.waiting.removeFirst(count) }
            guard !state.waiting.isEmpty else {
                state.idle.append(connection)
                return (late, [Job]())
            }
            let shared = state.waiting.prefix(Self.sharedAtMost).prefix { $0.mayShare }.count
            let next = (0..<max(1, shared)).map { state.waiting[$0] }
            state.waiting.removeFirst(next.count)
            return (late, next)
        }
        for job in late { job.continuation.resume(returning: .failure(.noFreeConnection)) }
        return next
    }

    /// For a connection whose shared transaction was undone: each of its statements is run by itself, before all that wait, and by
    /// other connections too where some are idle.
    func giveBack(_ jobs: [Job]) {
        let alone = jobs.map { job in
            var job = job
            job.isAlone = true
            return job
        }
        let helpers = state.withLock { state in
            let helpers = Array(state.idle.suffix(alone.count - 1))
            state.idle.removeLast(helpers.count)
            state.waiting.insert(contentsOf: alone[helpers.count...], at: 0)
            return helpers
        }
        for (job, helper) in zip(alone, helpers) { Task { await helper.workOff([job], of: self) } }
    }

    /// How many share a commit. What one of them waits for, all wait for.
    private static let sharedAtMost = 32
}
