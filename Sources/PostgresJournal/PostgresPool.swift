import Synchronization

/// A fixed number of connections, and the statements that wait for one: first come, first served. A connection that is
/// done with one takes the next by itself and stays on its thread, so that it is never idle while anything waits that it may take.
///
/// Statements that may share a commit are taken together, by a part of the connections: while one commit is on its way to the
/// server's disk the next gathers, and a commit costs one wait for the disk however much it holds.
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
        /// Statements that have a transaction of their own.
        var waiting: [Job] = []
        var waitingToShare: [Job] = []
        /// How many connections run statements that share a commit.
        var sharing = 0
    }

    private let settings: PostgresSettings
    /// How many connections may run statements that share a commit; the others are for those that do not.
    private let sharingAtMost: Int
    private let state: Mutex<State>

    init(url: PostgresURL, settings: PostgresSettings) {
        self.settings = settings
        sharingAtMost = max(1, settings.connections / 3)
        state = Mutex(
            State(
                idle: (0..<max(1, settings.connections)).map { _ in PostgresConnection(url: url, settings: settings) }))
    }

    /// How many wait for a connection.
    var waitingCount: Int { state.withLock { $0.waiting.count + $0.waitingToShare.count } }

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
            if !job.mayShare || state.sharing < sharingAtMost, let connection = state.idle.popLast() {
                if job.mayShare { state.sharing += 1 }
                return (PostgresConnection?.some(connection), true)
            }
            guard state.waiting.count + state.waitingToShare.count < settings.waitersAtMost else { return (nil, false) }
            if job.mayShare { state.waitingToShare.append(job) } else { state.waiting.append(job) }
            return (nil, true)
        }
        if !isAccepted { job.continuation.resume(returning: .failure(.noFreeConnection)) }
        if let connection { Task { await connection.workOff([job], of: self) } }
    }

    /// For a connection that is done: the next statement, several that share a commit, or none, and then the connection counts as
    /// idle.
    ///
    /// Statements that have waited too long fail here. A connection is never away for longer than its own timeouts and
    /// the system's for looking up a name, and no timer is needed.
    ///
    /// - Parameter done: what it ran.
    func next(for connection: PostgresConnection, after done: [Job]) -> [Job] {
        let (late, next) = state.withLock { state in
            if done.contains(where: \.mayShare) { state.sharing -= 1 }
            let now = ContinuousClock.now
            let late = Self.takeLate(&state.waiting, now) + Self.takeLate(&state.waitingToShare, now)
            // What waits for its own transaction has the other connections; the only one takes what came first.
            if state.sharing < sharingAtMost, let first = state.waitingToShare.first,
                settings.connections > sharingAtMost
                    || state.waiting.first.map({ first.deadline <= $0.deadline }) ?? true
            {
                state.sharing += 1
                return (late, Self.take(min(Self.sharedAtMost, state.waitingToShare.count), of: &state.waitingToShare))
            }
            if state.waiting.isEmpty { state.idle.append(connection) }
            return (late, Self.take(min(1, state.waiting.count), of: &state.waiting))
        }
        for job in late { job.continuation.resume(returning: .failure(.noFreeConnection)) }
        return next
    }

    private static func takeLate(_ jobs: inout [Job], _ now: ContinuousClock.Instant) -> [Job] {
        take(jobs.firstIndex { $0.deadline > now } ?? jobs.count, of: &jobs)
    }

    /// Without a slice of those that wait: while one is held, to remove any copies them all.
    private static func take(_ count: Int, of jobs: inout [Job]) -> [Job] {
        if count == 0 { return [] }
        let first = (0..<count).map { jobs[$0] }
        jobs.removeFirst(count)
        return first
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
