public import Dispatch
import Glibc
public import PaymentRelay
import Synchronization

/// A connection to a database, used by one thread at a time.
public protocol PooledConnection: AnyObject, Sendable {
    /// Queue on which the connection's work runs. Its work may block.
    var queue: DispatchQueue { get }

    /// Runs statements in one transaction, which is durable when this returns.
    ///
    /// - Returns: an answer for each.
    /// - Throws: where all of them were undone, or it is not known.
    func runTogether(_ statements: [(statement: Statement, values: [Value])]) throws(StatementFailure) -> [Answer]

    /// The statements have their answers.
    func didWrite(_ count: Int)
}

/// Why a statement has no answer.
public struct StatementFailure: Error {
    public let error: JournalError
    /// Whether the database refused one of the statements, and undid all of them: then each is run alone.
    public let isRefusal: Bool
    /// PostgreSQL's code of the refusal (its manual, appendix A).
    public let sqlState: String?

    public init(_ error: JournalError, isRefusal: Bool = false, sqlState: String? = nil) {
        self.error = error
        self.isRefusal = isRefusal
        self.sqlState = sqlState
    }
}

/// How much a pool takes.
public struct PoolLimits: Sendable {
    /// How many statements may wait.
    public var waitersAtMost = 4_096
    /// How long one may wait. One that has waited longer fails when the next connection is free.
    public var waitTimeout = Duration.seconds(3_600)
    /// How many connections run statements that share a commit; the others are for those that do not.
    public var sharingConnections = 1
    /// How many statements share a commit. What one of them waits for, all wait for.
    public var sharedAtMost = 4_096

    public init() {}
}

/// Group commit, and a fixed number of connections: statements wait for one, first come, first served. A connection that is done with
/// one takes the next by itself and stays on its thread, so that it is never idle while anything waits that it may take.
///
/// Statements that may share a commit are taken together: while one commit is on its way to the disk the next gathers, and a commit
/// costs one wait for the disk however much it holds. Where one of them is refused, all are undone and each is run by itself: so one
/// that fails takes no other with it, and those that succeed, which is nearly all, need no savepoints.
public final class ConnectionPool: Sendable {
    /// A statement, and the task that waits for its answer.
    private struct Job: Sendable {
        let statement: Statement
        let values: [Value]
        let deadline: ContinuousClock.Instant
        let mayShare: Bool
        let continuation: CheckedContinuation<Result<Answer, StatementFailure>, Never>

        /// As it is run after a commit that it shared was undone.
        var alone: Job {
            Job(
                statement: statement, values: values, deadline: deadline, mayShare: false, continuation: continuation)
        }
    }

    private struct State {
        /// The one used last is taken first: it is the most likely to be connected.
        var idle: [any PooledConnection]
        /// Statements that have a transaction of their own.
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

    /// How many wait for a connection.
    public var waitingCount: Int { state.withLock { $0.waiting.count + $0.waitingToShare.count } }

    /// Runs a statement on the next connection that is free.
    ///
    /// - Parameter mayShare: whether it may share a commit with others.
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
                // Threads that are ready to run go first and bring more for the next commit, which costs much the same for two as for
                // twenty. Where no thread is ready this returns at once, and nothing is waited for.
                if next.count > 1 { for _ in 0..<Self.turnsGiven { sched_yield() } }
                next = self.next(for: connection, after: next)
            }
        }
    }

    /// How often other threads go first. Each time brings less than the one before.
    private static let turnsGiven = 8

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

    /// For a connection that is done: the next statement, several that share a commit, or none, and then the connection counts as
    /// idle.
    ///
    /// Statements that have waited too long fail here. A connection is never away for longer than its own timeouts and
    /// the system's for looking up a name, and no timer is needed.
    private func next(for connection: any PooledConnection, after done: [Job]) -> [Job] {
        let (late, next) = state.withLock { state in
            if done[0].mayShare { state.sharing -= 1 }
            let now = ContinuousClock.now
            let late = Self.takeLate(&state.waiting, now) + Self.takeLate(&state.waitingToShare, now)
            // What waits for its own transaction has the other connections; the only one takes what came first.
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

    /// Without a slice of those that wait: while one is held, to remove any copies them all.
    private static func take(_ most: Int, of jobs: inout [Job]) -> [Job] {
        let count = min(most, jobs.count)
        if count == 0 { return [] }
        let first = (0..<count).map { jobs[$0] }
        jobs.removeFirst(count)
        return first
    }

    /// For a connection whose shared transaction was undone: each of its statements is run by itself, before all that wait, and by
    /// other connections too where some are idle.
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
