import Dispatch
import PayrelayPrimitives
import SQLJournal

/// A connection of the pool. It is opened when it is first needed, and again after it was lost.
///
/// It is safe to send it: the pool gives it to one thread at a time, and everything else in it is constant.
final class PostgresConnection: PooledConnection, @unchecked Sendable {
    let queue = DispatchQueue(label: "payrelay.journal.postgres")
    private let settings: PostgresSettings
    private let url: PostgresURL
    private var session: PostgresSession?

    init(url: PostgresURL, settings: PostgresSettings) {
        self.url = url
        self.settings = settings
    }

    func didWrite(_ count: Int) {}

    /// Runs statements in one transaction. If the server refuses one of them, it undoes all.
    ///
    /// The statements run in the order of their payments' references, which is the same in all transactions. So two
    /// transactions that lock the same payments do not wait for each other.
    func runTogether(_ statements: [(statement: Statement, values: [Value])]) throws(StatementFailure) -> [Answer] {
        let order = statements.indices.sorted {
            Self.reference(statements[$0].values).lexicographicallyPrecedes(Self.reference(statements[$1].values))
        }
        do {
            let answers = try run(order.map { statements[$0] })
            return zip(order, answers).sorted { $0.0 < $1.0 }.map(\.1)
        } catch {
            throw StatementFailure(error)
        }
    }

    /// Returns the reference, in UTF-8, of a statement that shares commits.
    private static func reference(_ values: [Value]) -> String.UTF8View {
        if case .text(let text?)? = values.first { text.utf8 } else { "".utf8 }
    }

    private func run(_ statements: [(statement: Statement, values: [Value])]) throws(PostgresError) -> [Answer] {
        let session = try readySession(for: statements)
        do {
            if statements.count == 1, let (statement, values) = statements.first, !statement.locksPayment {
                return [
                    statement.isRehearsed
                        ? try session.rehearse(statement, values, until: deadline)
                        : try session.run(statement, values, until: deadline)
                ]
            }
            return try runPipelined(statements, on: session)
        } catch {
            // After a failover, a server may accept the connection and refuse to write.
            if !session.isUsable || error.isUnanswered || error.sqlState == "25006" { self.session = nil }
            throw error
        }
    }

    private func runPipelined(
        _ statements: [(statement: Statement, values: [Value])], on session: PostgresSession
    ) throws(PostgresError) -> [Answer] {
        var all: [(statement: Statement, values: [Value])] = [(Self.waitBriefly, [])]
        var places: [Int] = []
        for (statement, values) in statements {
            if statement.locksPayment { all.append((Self.lockPayment, [values[0]])) }
            places.append(all.count)
            all.append((statement, values))
        }
        let answers = try session.runTogether(all, until: deadline)
        return places.map { answers[$0] }
    }

    private static let lockPayment = Statement(
        "lock_payment", "SELECT merchant_reference FROM payment WHERE merchant_reference = $1 FOR UPDATE")

    /// Makes the server refuse a statement that waits longer than 100 ms for another transaction (SQLSTATE 55P03),
    /// until this transaction ends.
    ///
    /// Tokens are not locked in an order. Two transactions with the same two tokens would wait for each other until
    /// the server detects this, after a second, and all statements that share their commits would wait, too. A
    /// client that sends tokens twice could cause this again and again.
    private static let waitBriefly = Statement("wait_briefly", "SELECT set_config('lock_timeout', '100', true)")

    /// Opens a session with the settings that the journal relies on. They are set for the session even if they
    /// equal the server's settings, so that a change of the server's configuration does not affect them.
    ///
    /// If a machine is lost within a transaction, the server keeps the transaction open, and without a time limit,
    /// all others that write the same keys would wait. The time limit does not apply while the server waits for the
    /// rest of several statements. There, keep-alives show the server that the machine is lost.
    func connect() throws(PostgresError) -> PostgresSession {
        let session = try PostgresSession.connect(to: url, until: .now + settings.connectTimeout)
        // 0 would mean no limit.
        let milliseconds = max(1, Int(settings.statementTimeout.milliseconds))
        do {
            _ = try session.run(
                script: """
                    SET statement_timeout = \(milliseconds);
                    SET idle_in_transaction_session_timeout = \(milliseconds);
                    \(Self.keepAlives)
                    \(PostgresSession.durableCommits)
                    """, until: deadline)
        } catch {
            throw .notConnected(reason: error.description)
        }
        return session
    }

    /// Keep-alives are set only if the server lists the settings. A server that does not, such as CockroachDB
    /// before 26.2, would refuse to set them.
    private static let keepAlives = """
        SELECT set_config(name, CASE name WHEN 'tcp_keepalives_count' THEN '3' ELSE '5' END, false) FROM pg_settings
            WHERE name IN ('tcp_keepalives_idle', 'tcp_keepalives_interval', 'tcp_keepalives_count');
        """

    private var deadline: PostgresSession.Deadline { .now + settings.statementTimeout + .seconds(1) }

    /// Returns a session in which the statements are prepared. None of them has been carried out by then, so a
    /// session that was lost in the meantime is replaced.
    private func readySession(
        for statements: [(statement: Statement, values: [Value])]
    ) throws(PostgresError) -> PostgresSession {
        func prepare(_ session: PostgresSession) throws(PostgresError) {
            if statements.count > 1 || statements.contains(where: \.statement.locksPayment) {
                try session.prepare(Self.waitBriefly, [], until: deadline)
            }
            for (statement, values) in statements {
                if statement.locksPayment { try session.prepare(Self.lockPayment, [values[0]], until: deadline) }
                try session.prepare(statement, values, until: deadline)
            }
        }
        if let session, session.isQuiet {
            do {
                try prepare(session)
                return session
            } catch {}
        }
        session = nil
        let fresh = try connect()
        do {
            try prepare(fresh)
        } catch {
            throw .notConnected(reason: error.description)
        }
        session = fresh
        return fresh
    }

    /// Migrates the tables; see ``Schema/migrate(_:in:to:changesOlder:)``.
    func migrate(to versions: [String] = Schema.versions) async throws(PostgresError) {
        try await withCheckedContinuation { continuation in
            queue.async {
                continuation.resume(
                    returning: Result { () throws(PostgresError) in
                        try self.url.refusePooledTransactions(until: .now + self.settings.connectTimeout)
                        let session = MigratingSession(session: try self.connect())
                        do {
                            _ = try session.run(
                                script: "SET statement_timeout = \(MigratingSession.timeout.components.seconds * 1_000)"
                            )
                            try Schema.migrate(
                                session, in: .postgres, to: versions, changesOlder: self.settings.changesOlderTables)
                        } catch let error as PostgresError {
                            throw error
                        } catch let error as NewerSchema {
                            throw .newerTables(version: error.version, known: error.known)
                        } catch let error as OlderSchema {
                            throw .otherTables(version: error.version)
                        } catch is UnreleasedSchema {
                            throw .unreleasedTables
                        } catch is UnfinishedCopy {
                            throw .unfinishedCopy
                        } catch {
                            throw .outcomeUnknown(reason: "\(error)")
                        }
                    })
            }
        }.get()
    }
}

/// A session for a whole migration, including the wait for another instance.
private struct MigratingSession: ScriptSession {
    let session: PostgresSession
    private let deadline = ContinuousClock.now + timeout

    init(session: PostgresSession) {
        self.session = session
    }

    static let timeout = Duration.seconds(600)

    func run(script: String) throws -> [Row] { try session.run(script: script, until: deadline).rows }
}

extension PostgresError {
    /// Whether an answer may still arrive, which would be mistaken for the next statement's answer.
    fileprivate var isUnanswered: Bool {
        if case .outcomeUnknown = self { true } else { false }
    }
}
