import FoundationEssentials
import Glibc
import PaymentRelay
import PayrelayPrimitives
public import SQLJournal

/// A session that reads or writes whole tables of a journal. Its statements have no practical time limit.
final class PostgresTables: TableSession {
    let dialect = Dialect.postgres
    private let session: PostgresSession
    /// The names of prepared statements, by their texts.
    private var names: [String: String] = [:]

    private static let timeout = Duration.seconds(86_400)
    private var deadline: PostgresSession.Deadline { .now + Self.timeout }

    init(url: String) throws(PostgresError) {
        let url = try PostgresURL(url)
        try url.refusePooledTransactions(until: .now + .seconds(30))
        session = try PostgresSession.connect(to: url, until: .now + .seconds(30))
        _ = try session.run(
            script: """
                SET application_name = 'payrelay journal'; SET statement_timeout = 0;
                SET idle_in_transaction_session_timeout = 0;
                \(PostgresSession.durableCommits)
                """, until: deadline)
    }

    func run(script: String) throws -> [Row] { try session.run(script: script, until: deadline).rows }

    func answer(to sql: String, _ values: [Value]) throws -> Answer {
        let name = names[sql] ?? "table_\(names.count)"
        names[sql] = name
        let statement = Statement(name, sql)
        try session.prepare(statement, values, until: deadline)
        return try session.run(statement, values, until: deadline)
    }
}

/// Sessions on a whole journal, for commands that read or copy all of it.
extension PostgresDriver {
    /// Connects to read one state of a journal, beside the relays that use it. Nothing is written.
    ///
    /// - Throws: ``PostgresError``.
    public static func snapshot(of url: String) throws(PostgresError) -> any TableSession {
        let session = try PostgresTables(url: url)
        do {
            _ = try session.run(script: "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
            let version = try Schema.existingVersion(session) ?? 0
            if version < 0 { throw PostgresError.unfinishedCopy }
            guard version == Schema.versions.count else { throw PostgresError.otherTables(version: version) }
            try Schema.requireColumns(session, in: .postgres)
        } catch is UnreleasedSchema {
            throw .unreleasedTables
        } catch let error as PostgresError {
            throw error
        } catch {
            throw .outcomeUnknown(reason: "\(error)")
        }
        return session
    }

    /// Connects to copy a journal from or to a database that no relay uses. Relays cannot start on the target of a
    /// copy. If relays write to the source in the meantime, the copy ends with an error about the difference.
    ///
    /// - Throws: ``PostgresError/inUse(sessions:)`` if a relay is connected, or was alive within the last 15
    ///   seconds.
    public static func tables(of url: String) throws(PostgresError) -> any TableSession {
        let session = try PostgresTables(url: url)
        do {
            var sessions = 0
            // A session that has just ended, such as the one of this command's pooler check, is listed for a moment
            // longer.
            for _ in 0..<20 {
                sessions = try max(session.connectedRelays(), session.beatingRelays())
                if sessions == 0 { return session }
                usleep(100_000)
            }
            throw PostgresError.inUse(sessions: sessions)
        } catch let error as PostgresError {
            throw error
        } catch {
            throw .outcomeUnknown(reason: "\(error)")
        }
    }
}

extension PostgresTables {
    fileprivate func connectedRelays() throws -> Int {
        try count(
            """
            SELECT count(*) AS count FROM pg_stat_activity
            WHERE datname = current_database() AND application_name = 'payrelay' AND pid <> pg_backend_pid()
            """)
    }

    /// Returns the number of relays that report to be alive (``InstanceRegister``). It does not depend on the names
    /// of their sessions, which the URL and the environment may set. A relay counts if it is alive by the server's
    /// or by this machine's clock.
    fileprivate func beatingRelays() throws -> Int {
        guard let version = try Schema.existingVersion(self), version != 0 else { return 0 }
        return try count(
            """
            SELECT count(*) AS count FROM instance WHERE seen_at BETWEEN $1 AND $2
                OR seen_at BETWEEN CAST(extract(epoch FROM clock_timestamp()) * 1000 AS bigint) - 15000
                    AND CAST(extract(epoch FROM clock_timestamp()) * 1000 AS bigint) + 15000
            """, [-15, 15].map { .integer(EpochMilliseconds(Date() + $0).milliseconds) })
    }

    private func count(_ sql: String, _ values: [Value] = []) throws -> Int {
        try answer(to: sql, values).rows.first?.integer("count") ?? 0
    }
}
