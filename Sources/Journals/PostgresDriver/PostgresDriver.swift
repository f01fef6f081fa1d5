public import PaymentRelay
import PayrelayPrimitives
public import SQLJournal

/// The database of many instances: a PostgreSQL that they share, or one that is compatible with it.
///
/// Every write has a transaction of its own, or shares one with others that waited for a connection at the same time. What
/// returned is on the server's disk: `synchronous_commit` is never off.
public final class PostgresDriver: Driver {
    public let dialect = Dialect.postgres
    let pool: ConnectionPool
    private let hasSeveralHosts: Bool

    /// Connects, making or changing the tables where they are missing or old (``PostgresSettings/changesOlderTables``).
    ///
    /// - Parameter url: as libpq reads it, `sslmode`, `sslrootcert` and several hosts included.
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

    /// Runs a statement once more, if it may be run twice, where the connection was lost before it said how the statement ended. A claim
    /// is not run twice: its outcome is unknown then, and nothing is sent.
    private func repeated(_ statement: Statement, _ values: [Value]) async throws(StatementFailure) -> Answer {
        do throws(StatementFailure) {
            return try await pool.run(statement, values, mayShare: statement.sharesCommits)
        } catch {
            guard case .outcomeUnknown = error.error, statement.isRepeatable else { throw error }
            // Where the second time fails too, the first may still have written.
            let lost = error
            do {
                return try await pool.run(statement, values, mayShare: statement.sharesCommits)
            } catch { throw lost }
        }
    }

    /// How often a statement is run that gives way to others.
    private static let attempts = 8

    private static func again<Result: Sendable, Failure: Error>(
        while condition: (Failure) -> Bool, _ body: () async throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        for attempt in 1..<attempts {
            do {
                return try await body()
            } catch {
                guard condition(error) else { throw error }
                // Statements that collided and wait equally long collide again.
                try? await Task.sleep(for: .milliseconds(Int.random(in: 0...(10 << min(attempt, 5)))))
            }
        }
        return try await body()
    }

    /// Writes a claim and rolls it back, which needs the room that a claim needs, and then commits rows of no meaning.
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

    /// A server may stop to wait for its replicas while it runs: Patroni has it do so when none is left. The settings are readable for every
    /// user, and so is how many replicas there are. A compatible database that does not know them has no gap that could be told.
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

    /// The server's files are the server's: VACUUM frees what was erased, and its log is overwritten in time.
    public func purgeFiles() async {}
}

extension PostgresError {
    /// Whether two instances made the same table at once: `IF NOT EXISTS` does not keep the second from failing.
    fileprivate var metAnotherMigration: Bool {
        switch sqlState {
        case PostgresError.notUnique?, "42P07"?, "42710"?: true
        case let state: state.map(PostgresError.gaveWay.contains) ?? false
        }
    }
}

extension Statement {
    /// `synchronous_commit` of `local` waits for the primary's disk alone, whatever standbys are named.
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
