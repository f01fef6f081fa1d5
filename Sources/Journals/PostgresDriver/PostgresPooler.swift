import SQLJournal

extension PostgresURL {
    /// Refuses a pooler, such as PgBouncer, that gives each transaction any of its sessions. Timeouts, durable commits and prepared
    /// statements belong to a session, and would be another transaction's. A pooler that keeps a session for each connection is no
    /// different from the server.
    ///
    /// - Throws: ``PostgresError/poolsTransactions``, or why it could not be found out.
    func refusePooledTransactions(until deadline: PostgresSession.Deadline) throws(PostgresError) {
        let first = try PostgresSession.connect(to: self, until: deadline)
        let process = try first.serverProcess(until: deadline)
        // A pooler tells a process of its own when it connects, and the server tells its own.
        guard process != first.announcedProcess else { return }
        let second = try PostgresSession.connect(to: self, until: deadline)
        _ = try second.run(script: "BEGIN", until: deadline)
        // The session that the first had is lent to the second's transaction, and then the first gets another.
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
