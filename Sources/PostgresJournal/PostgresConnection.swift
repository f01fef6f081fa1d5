import Dispatch
import PaymentRelay
import PayrelayPrimitives

/// A connection that is opened when it is first needed, and again after it was lost.
actor PostgresConnection {
    private let executor = BlockingExecutor(label: "payrelay.postgres")
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    let settings: PostgresSettings
    private let url: PostgresURL
    private var session: PostgresSession?

    init(url: PostgresURL, settings: PostgresSettings) {
        self.url = url
        self.settings = settings
    }

    /// Runs statements, and then whatever else waits.
    func workOff(_ first: [PostgresPool.Job], of pool: PostgresPool) {
        var next = first
        while let job = next.first {
            if next.count > 1 {
                workOffTogether(next, of: pool)
            } else {
                let answer = Result { () throws(PostgresError) in try run(job.statement, job.values) }
                job.continuation.resume(returning: answer)
            }
            next = pool.next(for: self, after: next)
        }
    }

    /// Runs statements in one transaction. Where the server refuses one of them and undoes all, each is run by itself: so one that
    /// is refused, or has to wait for a transaction elsewhere, keeps no other from its commit.
    private func workOffTogether(_ jobs: [PostgresPool.Job], of pool: PostgresPool) {
        // In one order everywhere, so that two transactions which lock the same payments do not wait for each other.
        let jobs = jobs.sorted { $0.reference.lexicographicallyPrecedes($1.reference) }
        do throws(PostgresError) {
            let answers = try runTogether([(.waitBriefly, [])] + jobs.map { ($0.statement, $0.values) })
            for (job, answer) in zip(jobs, answers.dropFirst()) { job.continuation.resume(returning: .success(answer)) }
        } catch {
            if error.sqlState != nil { return pool.giveBack(jobs) }
            for job in jobs { job.continuation.resume(returning: .failure(error)) }
        }
    }

    private func runTogether(
        _ statements: [(statement: PostgresStatement, values: [PostgresValue])]
    ) throws(PostgresError) -> [PostgresAnswer] {
        try inSession(preparedFor: statements.map(\.statement)) { session throws(PostgresError) in
            try session.runTogether(statements, until: deadline)
        }
    }

    /// Runs one statement in a transaction of its own.
    func run(
        _ statement: PostgresStatement, _ parameters: [PostgresValue]
    ) throws(PostgresError) -> PostgresAnswer {
        try inSession(preparedFor: [statement]) { session throws(PostgresError) in
            guard statement.isRolledBack else { return try session.run(statement, parameters, until: deadline) }
            return try session.rehearse(statement, parameters, until: deadline)
        }
    }

    private func inSession<Answer>(
        preparedFor statements: [PostgresStatement],
        _ body: (PostgresSession) throws(PostgresError) -> Answer
    ) throws(PostgresError) -> Answer {
        let session = try readySession(for: statements)
        do {
            return try body(session)
        } catch {
            // After a failover a server may accept the connection and refuse to write.
            if !session.isUsable || error.isUnanswered || error.sqlState == "25006" { self.session = nil }
            throw error
        }
    }

    /// A new session, with the settings that the journal relies on. They are the session's own, even where they are the
    /// server's: a server that reads its configuration again does not change them.
    func connect() throws(PostgresError) -> PostgresSession {
        let session = try PostgresSession(url: url, until: .now + settings.connectTimeout)
        // 0 would mean no limit at all.
        let milliseconds = max(1, Int(settings.statementTimeout.milliseconds))
        do {
            _ = try session.run(
                script: """
                    SET statement_timeout = \(milliseconds);
                    \(SynchronousCommit.script)
                    """, until: deadline)
        } catch {
            throw .notConnected(reason: error.description)
        }
        return session
    }

    private var deadline: PostgresSession.Deadline { .now + settings.statementTimeout + .seconds(1) }

    /// A session in which the statements are prepared. Up to here nothing of them was carried out: a session that was lost
    /// in the meantime is replaced.
    private func readySession(for statements: [PostgresStatement]) throws(PostgresError) -> PostgresSession {
        if let session, session.isQuiet {
            do {
                for statement in statements { try session.prepare(statement, until: deadline) }
                return session
            } catch {}
        }
        session = nil
        let fresh = try connect()
        do {
            for statement in statements { try fresh.prepare(statement, until: deadline) }
        } catch {
            throw .notConnected(reason: error.description)
        }
        session = fresh
        return fresh
    }
}

extension PostgresPool.Job {
    /// In UTF-8, of a statement that shares commits.
    fileprivate var reference: String.UTF8View {
        if case .text(let text?)? = values.first { text.utf8 } else { "".utf8 }
    }
}

extension PostgresError {
    /// Whether an answer may still be on its way, which would be taken for the next statement's.
    fileprivate var isUnanswered: Bool {
        if case .outcomeUnknown = self { true } else { false }
    }
}

/// Runs an actor's work on a thread of its own, so that it may block: Swift's cooperative threads are few, and one that
/// blocks in libpq would be missing everywhere else.
private final class BlockingExecutor: SerialExecutor {
    private let queue: DispatchQueue

    init(label: String) {
        queue = DispatchQueue(label: label)
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
}
