import SQLJournal

extension PostgresURL {
    /// Refuses a pooler, such as PgBouncer, that gives each transaction any of its sessions. Time limits, durable
    /// commits and prepared statements belong to a session, and would affect another transaction. A pooler that
    /// keeps one session per connection behaves like the server.
    ///
    /// - Throws: ``PostgresError/poolsTransactions``, or the reason why the check failed.
    func refusePooledTransactions(until deadline: PostgresSession.Deadline) throws(PostgresError) {
        let first = try PostgresSession.connect(to: self, until: deadline)
        let process = try first.serverProcess(until: deadline)
        // A pooler announces another process when it connects than the server reports.
        guard process != first.announcedProcess else { return }
        let second = try PostgresSession.connect(to: self, until: deadline)
        _ = try second.run(script: "BEGIN", until: deadline)
        // A pooler lends the first connection's session to the second's transaction, and then gives the first
        // another session.
        let lent = try second.serverProcess(until: deadline)
        guard lent != process, try first.serverProcess(until: deadline) == process else { throw .poolsTransactions }
    }
}

extension PostgresSession {
    fileprivate func serverProcess(until deadline: Deadline) throws(PostgresError) -> String {
        let rows = try run(script: "SELECT pg_backend_pid() AS process", until: deadline).rows
        guard let process = try? rows.first?.text("process") else { throw .unexpectedValue(column: "process") }
        return process
    }
}
