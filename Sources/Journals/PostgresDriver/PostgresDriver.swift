public import PaymentRelay
import PayrelayPrimitives
public import SQLJournal

/// The database of many instances: a PostgreSQL database that they share, or a compatible one.
///
/// Every write has its own transaction, or shares one with others that waited for a connection at the same time. A
/// write that has returned is on the server's disk: `synchronous_commit` is never off.
public final class PostgresDriver: Driver {
    public let dialect = Dialect.postgres
    let pool: ConnectionPool
    private let hasSeveralHosts: Bool

    /// Connects, and creates missing tables. Tables of an older version are changed if the settings allow it
    /// (``PostgresSettings/changesOlderTables``).
    ///
    /// - Parameter url: a URL as libpq reads it, including `sslmode`, `sslrootcert` and several hosts.
    /// - Throws: ``PostgresError``.
    public init(url: String, settings: PostgresSettings = PostgresSettings()) async throws(PostgresError) {
        let url = try PostgresURL(url)
        hasSeveralHosts = url.attempts.count > 1
        var limits = PoolLimits()
        limits.waitersAtMost = settings.waitersAtMost
        limits.waitTimeout = settings.waitTimeout
        limits.sharingConnections = max(1, settings.connections / 3)
        limits.sharedAtMost = 32
        pool = ConnectionPool(
            (0..<max(1, settings.connections)).map { _ in PostgresConnection(url: url, settings: settings) },
            limits: limits)
        try await Self.again(while: \.metAnotherMigration) { () throws(PostgresError) in
            try await PostgresConnection(url: url, settings: settings).migrate()
        }
    }

    public func read(_ statement: Statement, _ values: [Value]) async throws(JournalError) -> [Row] {
        try await write(statement, values).rows
    }

    public func write(_ statement: Statement, _ values: [Value]) async throws(JournalError) -> Answer {
        if statement.sharesCommits { FailPoint.committing.reachSoon() }
        do throws(StatementFailure) {
            return try await Self.again(while: \.gaveWay) { () throws(StatementFailure) in
                try await repeated(statement, values)
            }
        } catch {
            if error.sqlState == PostgresError.notUnique { return Answer() }
            throw error.error
        }
    }

    /// Runs a statement. If the connection was lost before the result was known, and the statement is repeatable,
    /// runs it once more. A claim is not run twice: its outcome is then unknown, and nothing is sent.
    private func repeated(_ statement: Statement, _ values: [Value]) async throws(StatementFailure) -> Answer {
        do throws(StatementFailure) {
            return try await pool.run(statement, values, mayShare: statement.sharesCommits)
        } catch {
            guard case .outcomeUnknown = error.error, statement.isRepeatable else { throw error }
            // If the second run fails, too, the first one may still have written.
            let lost = error
            do {
                return try await pool.run(statement, values, mayShare: statement.sharesCommits)
            } catch { throw lost }
        }
    }

    /// The maximum number of attempts to run a statement that the server rolls back in favour of another one.
    private static let attempts = 8

    private static func again<Result: Sendable, Failure: Error>(
        while condition: (Failure) -> Bool, _ body: () async throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        for attempt in 1..<attempts {
            do {
                return try await body()
            } catch {
                guard condition(error) else { throw error }
                // If colliding statements waited equally long, they would collide again.
                try? await Task.sleep(for: .milliseconds(Int.random(in: 0...(10 << min(attempt, 5)))))
            }
        }
        return try await body()
    }

    /// Writes a claim and rolls it back, which needs as much room as a claim. Then commits rows without a meaning.
    public func checkDurability(
        rehearsing claim: Statement, _ values: [Value]
    ) async throws(JournalError) -> [DurabilityGap] {
        let rehearsal = claim.rehearsed
        let answer: Answer
        do throws(StatementFailure) {
            answer = try await Self.again(while: \.gaveWay) { () throws(StatementFailure) in
                try await pool.run(rehearsal, values, mayShare: false)
            }
        } catch {
            throw error.error
        }
        guard answer.count == 1 else { throw JournalError(.unexpectedValue(column: "durability_probe")) }
        _ = try await write(.durabilityProbe, [])
        return await durabilityGaps()
    }

    /// Returns the reasons why a durable commit could still be lost. A server may stop waiting for its replicas
    /// while it runs; for example, Patroni does so if none is left. Every user can read the settings and the number
    /// of replicas. If a compatible database does not know them, no gap is reported.
    private func durabilityGaps() async -> [DurabilityGap] {
        guard let row = try? await read(.durabilitySettings, []).first,
            let waitsForDisk = try? row.integer("waits_for_disk"),
            let waitsForStandby = try? row.integer("waits_for_standby"),
            let replicas = try? row.integer("replicas")
        else { return [] }
        var gaps: [DurabilityGap] = []
        if waitsForStandby == 0, replicas > 0 || hasSeveralHosts { gaps.append(.noSynchronousStandby) }
        if waitsForDisk == 0 { gaps.append(.diskNotAwaited) }
        return gaps
    }

    /// Does nothing, because the files belong to the server: VACUUM frees erased data, and the server's log is
    /// overwritten in time.
    public func purgeFiles() async {}
}

extension PostgresError {
    /// Whether two instances created the same table at once: `IF NOT EXISTS` does not prevent the second one's
    /// failure.
    fileprivate var metAnotherMigration: Bool {
        switch sqlState {
        case PostgresError.notUnique?, "42P07"?, "42710"?: true
        case let state: state.map(PostgresError.gaveWay.contains) ?? false
        }
    }
}

extension Statement {
    /// Reads the settings. With `synchronous_commit` set to `local`, a commit waits only for the primary's disk,
    /// even if standbys are named.
    fileprivate static let durabilitySettings = Statement(
        "durability_settings", isRepeatable: true,
        """
        SELECT CASE WHEN current_setting('fsync') = 'off' THEN 0::int8 ELSE 1::int8 END AS waits_for_disk,
            CASE WHEN current_setting('synchronous_standby_names') = '' OR current_setting('synchronous_commit') = 'local'
                THEN 0::int8 ELSE 1::int8 END AS waits_for_standby,
            (SELECT count(*) FROM pg_stat_replication) AS replicas
        """)
}

extension SQLJournal {
    /// Opens a PostgreSQL database (``PostgresDriver/init(url:settings:)``).
    public convenience init(
        url: String, settings: PostgresSettings = PostgresSettings(),
        onUnreadable: @escaping UnreadableRecordObserver = { _ in },
        observe: @escaping JournalObserver = { _, _, _ in }
    ) async throws(PostgresError) {
        self.init(try await PostgresDriver(url: url, settings: settings), onUnreadable: onUnreadable, observe: observe)
    }
}
