import Glibc
public import SQLJournal

extension SQLiteConnection: TableSession {
    package var dialect: Dialect { .sqlite }

    package func answer(to sql: String, _ values: [Value]) throws -> Answer { try keep(sql).run(values) }
}

/// Sessions on a whole journal, for commands that read or copy all of it.
extension SQLiteDriver {
    /// Opens a journal to read one state of it, beside a relay that may own it. Nothing is written. While the
    /// session is open, the relay's write-ahead log grows.
    ///
    /// - Throws: ``SQLiteJournalError``.
    public static func snapshot(of path: String) throws(SQLiteJournalError) -> any TableSession {
        try refuseAbsence(of: path)
        return try reporting(path) { try openSnapshot(of: path) }
    }

    static func openSnapshot(of path: String, keeping: AnyObject? = nil) throws -> SQLiteConnection {
        let connection = try SQLiteConnection(path: path, isMade: false, isReadOnly: true, keeping: keeping)
        // The first read fixes the state.
        try connection.run(script: "BEGIN; SELECT count(*) FROM sqlite_schema")
        try requireVersion(of: connection, path)
        return connection
    }

    /// Opens a journal, or a backup of one, to read it while no relay uses it. Relays cannot open it in the
    /// meantime.
    ///
    /// - Throws: ``SQLiteJournalError`` if another process holds it.
    public static func source(_ path: String) throws(SQLiteJournalError) -> any TableSession {
        try refuseAbsence(of: path)
        // The lock must outlive the connections to the file (``JournalFile``).
        let lock = try JournalLock(path: path, O_RDONLY)
        return try reporting(path) { try openSnapshot(of: path, keeping: lock) }
    }

    /// Opens a file to copy a journal into, and creates it if it is missing. Relays cannot open it in the meantime.
    ///
    /// - Throws: ``SQLiteJournalError`` if another process holds it.
    public static func target(_ path: String) throws(SQLiteJournalError) -> any TableSession {
        let file = try JournalFile(path: path)
        return try reporting(path) { try connect(path, isMade: true, keeping: file) }
    }

    static func refuseAbsence(of path: String) throws(SQLiteJournalError) {
        guard access(path, F_OK) == 0 else { throw SQLiteJournalError(path: path, reason: "there is no such file") }
        try JournalFile.refuseHardLinks(path)
    }

    /// Refuses tables of another version, and the target of an unfinished copy.
    static func requireVersion(of connection: SQLiteConnection, _ path: String) throws(SQLiteJournalError) {
        let version = (try? Schema.version(connection)) ?? 0
        if version < 0 { throw SQLiteJournalError(path: path, reason: "\(UnfinishedCopy())") }
        guard version == Schema.versions.count else {
            throw SQLiteJournalError(path: path, reason: "its tables are of another version; start the relay first")
        }
        try reporting(path) { try Schema.requireColumns(connection, in: .sqlite) }
    }
}
