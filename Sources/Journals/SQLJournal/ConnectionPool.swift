public import Dispatch
public import PaymentRelay
import Synchronization

/// A connection to a database, used by one thread at a time.
public protocol PooledConnection: AnyObject, Sendable {
    /// The queue on which the connection's work runs. The work may block.
    var queue: DispatchQueue { get }

    /// Runs statements in one transaction, which is durable when this returns.
    ///
    /// - Returns: an answer for each statement.
    /// - Throws: an error if all statements were undone, or if the result is unknown.
    func runTogether(_ statements: [(statement: Statement, values: [Value])]) throws(StatementFailure) -> [Answer]

    /// Called after the statements' answers were delivered.
    func didWrite(_ count: Int)
}

/// Why a statement has no answer.
public struct StatementFailure: Error {
    public let error: JournalError
    /// Whether the database refused one of the statements and undid all of them. Each is then run by itself.
    public let isRefusal: Bool
    /// PostgreSQL's code of the refusal (appendix A of its manual).
    public let sqlState: String?

    public init(_ error: JournalError, isRefusal: Bool = false, sqlState: String? = nil) {
        self.error = error
        self.isRefusal = isRefusal
        self.sqlState = sqlState
    }
}

/// The limits of a pool.
public struct PoolLimits: Sendable {
    /// The maximum number of waiting statements.
    public var waitersAtMost = 4_096
    /// The maximum time that a statement waits. A statement that has waited longer fails when the next connection
    /// is free.
    public var waitTimeout = Duration.seconds(3_600)
    /// How many connections run statements that share a commit. The other connections are for all other statements.
    public var sharingConnections = 1
    /// The maximum number of statements in a shared commit. If one of them has to wait, all wait.
    public var sharedAtMost = 4_096

    public init() {}
}

/// A fixed number of connections, with group commit.
///
/// - Statements wait for a connection, first come, first served.
/// - A connection that has finished a statement takes the next one and stays on its thread. It is never idle while
///   a statement waits that it may run.
/// - Statements that may share a commit are run together. While one commit is being written to the disk, the next
///   one gathers. A commit costs one wait for the disk, however many statements it has.
/// - If the database refuses one of these statements, all are undone, and each is run by itself. So a statement
///   that fails does not affect others, and the statements that succeed, which are nearly all, need no savepoints.
public final class ConnectionPool: Sendable {
    /// A statement, and the task that waits for its answer.
    private struct Job: Sendable {
        let statement: Statement
        let values: [Value]
        let deadline: ContinuousClock.Instant
        let mayShare: Bool
        let continuation: CheckedContinuation<Result<Answer, StatementFailure>, Never>

        /// The same job, to be run by itself after the commit that it shared was undone.
        var alone: Job {
            Job(
                statement: statement, values: values, deadline: deadline, mayShare: false, continuation: continuation)
        }
    }

    private struct State {
        /// The idle connections. The one used last is taken first, because it is the most likely to be connected.
        var idle: [any PooledConnection]
        /// Statements that need their own transaction.
        var waiting: [Job] = []
        var waitingToShare: [Job] = []
        /// How many connections run statements that share a commit.
        var sharing = 0
    }

    private let limits: PoolLimits
    private let connections: Int
    private let state: Mutex<State>

    public init(_ connections: [any PooledConnection], limits: PoolLimits = PoolLimits()) {
        self.limits = limits
        self.connections = connections.count
        state = Mutex(State(idle: connections))
    }

    package static let overloaded = JournalError.overloaded(
        reason: "too many statements wait for the journal, or this one has waited for too long")

    /// How many statements wait for a connection.
    public var waitingCount: Int { state.withLock { $0.waiting.count + $0.waitingToShare.count } }

    /// Runs a statement on the next free connection.
    ///
    /// - Parameter mayShare: whether the statement may share a commit with others.
    public func run(
        _ statement: Statement, _ values: [Value], mayShare: Bool
    ) async throws(StatementFailure) -> Answer {
        try await withCheckedContinuation { continuation in
            submit(
                Job(
                    statement: statement, values: values, deadline: .now + limits.waitTimeout, mayShare: mayShare,
                    continuation: continuation))
        }.get()
    }

    private func submit(_ job: Job) {
        let (connection, isAccepted) = state.withLock { state in
            if !job.mayShare || state.sharing < limits.sharingConnections, let connection = state.idle.popLast() {
                if job.mayShare { state.sharing += 1 }
                return ((any PooledConnection)?.some(connection), true)
            }
            guard state.waiting.count + state.waitingToShare.count < limits.waitersAtMost else { return (nil, false) }
            if job.mayShare { state.waitingToShare.append(job) } else { state.waiting.append(job) }
            return (nil, true)
        }
        if !isAccepted { job.continuation.resume(returning: .failure(StatementFailure(Self.overloaded))) }
        if let connection { begin([job], on: connection) }
    }

    private func begin(_ jobs: [Job], on connection: any PooledConnection) {
        connection.queue.async {
            var next = jobs
            while !next.isEmpty {
                self.run(next, on: connection)
                next = self.next(for: connection, after: next)
            }
        }
    }

    private func run(_ jobs: [Job], on connection: any PooledConnection) {
        do throws(StatementFailure) {
            let answers = try connection.runTogether(jobs.map { ($0.statement, $0.values) })
            for (job, answer) in zip(jobs, answers) { job.continuation.resume(returning: .success(answer)) }
            connection.didWrite(jobs.count)
        } catch {
            if error.isRefusal, jobs.count > 1 { return giveBack(jobs) }
            for job in jobs { job.continuation.resume(returning: .failure(error)) }
        }
    }

    /// Returns the next work for a connection that is done: one statement, several that share a commit, or none. If
    /// there is none, the connection becomes idle.
    ///
    /// Statements that have waited too long fail here. No timer is needed, because a connection is never busy for
    /// longer than its timeouts and the system's time limit for looking up a name.
    private func next(for connection: any PooledConnection, after done: [Job]) -> [Job] {
        let (late, next) = state.withLock { state in
            if done[0].mayShare { state.sharing -= 1 }
            let now = ContinuousClock.now
            let late = Self.takeLate(&state.waiting, now) + Self.takeLate(&state.waitingToShare, now)
            // Statements with their own transactions have the other connections. If there is only one connection,
            // the statement that came first is next.
            if state.sharing < limits.sharingConnections, let first = state.waitingToShare.first,
                connections > limits.sharingConnections
                    || state.waiting.first.map({ first.deadline <= $0.deadline }) ?? true
            {
                state.sharing += 1
                return (late, Self.take(limits.sharedAtMost, of: &state.waitingToShare))
            }
            if state.waiting.isEmpty { state.idle.append(connection) }
            return (late, Self.take(1, of: &state.waiting))
        }
        for job in late { job.continuation.resume(returning: .failure(StatementFailure(Self.overloaded))) }
        return next
    }

    private static func takeLate(_ jobs: inout [Job], _ now: ContinuousClock.Instant) -> [Job] {
        take(jobs.firstIndex { $0.deadline > now } ?? jobs.count, of: &jobs)
    }

    /// Removes the first jobs. It does not use a slice, because removing elements while a slice exists copies the
    /// whole array.
    private static func take(_ most: Int, of jobs: inout [Job]) -> [Job] {
        let count = min(most, jobs.count)
        if count == 0 { return [] }
        let first = (0..<count).map { jobs[$0] }
        jobs.removeFirst(count)
        return first
    }

    /// Runs the statements of a connection's undone transaction again, each by itself, before all waiting
    /// statements. Idle connections help.
    private func giveBack(_ jobs: [Job]) {
        let alone = jobs.map(\.alone)
        let helpers = state.withLock { state in
            let helpers = Array(state.idle.suffix(alone.count - 1))
            state.idle.removeLast(helpers.count)
            state.waiting.insert(contentsOf: alone[helpers.count...], at: 0)
            return helpers
        }
        for (job, helper) in zip(alone, helpers) { begin([job], on: helper) }
    }
}
