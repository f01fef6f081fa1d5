extension PostgresConnection {
    /// Brings the tables to the newest version. Any number of instances may do so at once: the row that holds the version
    /// is locked by the one that works, and the others find the work done.
    func migrate() throws(PostgresError) {
        let session = try connect()
        let deadline = ContinuousClock.now + Self.migrationTimeout
        func run(_ script: String) throws(PostgresError) -> PostgresAnswer {
            try session.run(script: script, until: deadline)
        }
        _ = try run("SET statement_timeout = \(Self.migrationTimeout.components.seconds * 1_000)")
        _ = try run("CREATE TABLE IF NOT EXISTS payrelay_tables (one bigint PRIMARY KEY, version bigint NOT NULL)")
        _ = try run("INSERT INTO payrelay_tables (one, version) VALUES (1, 0) ON CONFLICT DO NOTHING")
        _ = try run("BEGIN")
        let row = try run("SELECT version FROM payrelay_tables WHERE one = 1 FOR UPDATE").rows.first
        guard let text = try row?.text("version"), let version = Int(text) else {
            throw .unexpectedValue(column: "version")
        }
        let migrations = PostgresMigrations.all
        guard version <= migrations.count else { throw .newerTables(version: version, known: migrations.count) }
        for migration in migrations.dropFirst(version) { _ = try run(migration) }
        _ = try run("UPDATE payrelay_tables SET version = \(migrations.count) WHERE one = 1")
        _ = try run("COMMIT")
    }

    /// For all of them, the wait for another instance included. One of them writes every payment's row.
    private static let migrationTimeout = Duration.seconds(600)
}

extension PostgresError {
    /// Whether two instances made the same table at once: `IF NOT EXISTS` does not keep the second from failing.
    var metAnotherMigration: Bool {
        gaveWay || violatedUniqueness || sqlState == "42P07" || sqlState == "42710"
    }
}
