import CSQLite
import FoundationEssentials
public import PaymentRelay
public import SQLJournal

/// A SQLite file in WAL mode with `synchronous=FULL`, so that a write that has returned is on the disk.
///
/// One process owns the file (``JournalFile``). If the file is no longer the one at its path, nothing is written,
/// and every write fails.
public final class SQLiteDriver: Driver {
    public let dialect = Dialect.sqlite
    /// The writer. It has one connection, and all waiting writes share its commits.
    let writer: ConnectionPool
    /// The readers, for which the writer does not wait; `nil` if the writer's connection is the only one.
    private let readers: ConnectionPool?
    /// The checkpoints; `nil` if another process owns the file, or there is no file.
    private let checkpoints: Checkpoints?
    private let path: String?

    private static let readersAtMost = 4

    /// Opens the journal, and creates the file and its tables if they are missing.
    ///
    /// - Parameter path: the path of the SQLite file. Its `-wal`, `-shm` and `.lock` are beside it. Created files
    ///   can be read and written only by their owner, whatever the umask is: SQLite gives its other files the
    ///   permissions of the first.
    /// - Throws: ``SQLiteJournalError`` if another process holds the file, it cannot be opened, or it is lost.
    public convenience init(path: String) throws(SQLiteJournalError) {
        try JournalFile.refuseLoss(of: path)
        let file = try JournalFile(path: path)
        let connection = try Self.reporting(path) {
            let connection = try Self.connect(path, isMade: true, keeping: file)
            try Schema.migrate(connection, in: .sqlite)
            try connection.run(script: SQLJournal.releaseAll + "DROP TABLE IF EXISTS \(Schema.backupDigest)")
            // A migration may write the whole journal to the log, which would keep that size. A reader may prevent
            // the checkpoint.
            _ = try? connection.checkpoint(SQLITE_CHECKPOINT_TRUNCATE)
            return connection
        }
        let checkpoints = try Self.reporting(path) {
            Checkpoints(try Self.connect(path, isMade: false, keeping: file))
        }
        try file.mark()
        try file.rememberFiles()
        try file.check()
        self.init(path: path, file: file, checkpoints: checkpoints, connection)
    }

    /// Opens a journal that another process may own, to read or to write a little. Nothing is created or migrated,
    /// and no lease is ended.
    ///
    /// - Throws: ``SQLiteJournalError`` if there is no journal, or its tables are of another version.
    public convenience init(attachingTo path: String) throws(SQLiteJournalError) {
        try JournalFile.refuseLoss(of: path)
        guard FileManager.default.fileExists(atPath: path) else {
            throw SQLiteJournalError(path: path, reason: "there is no such file")
        }
        try JournalFile.refuseHardLinks(path)
        let connection = try Self.reporting(path) {
            let connection = try Self.connect(path, isMade: false)
            try Self.requireVersion(of: connection, path)
            return connection
        }
        self.init(path: path, file: nil, checkpoints: nil, connection)
    }

    /// Returns a journal in memory, which does not outlive the process.
    ///
    /// - Throws: ``SQLiteJournalError`` if there is not enough memory.
    public static func inMemory() throws(SQLiteJournalError) -> SQLiteDriver {
        let path = ":memory:"
        let connection = try reporting(path) {
            let connection = try SQLiteConnection(path: path)
            try Schema.migrate(connection, in: .sqlite)
            return connection
        }
        return SQLiteDriver(path: nil, file: nil, checkpoints: nil, connection)
    }

    /// Whether the file is gone although a relay had its journal there. No new journal is begun in its place.
    public static func isLost(path: String) -> Bool { JournalFile.isLost(path) }

    private init(path: String?, file: JournalFile?, checkpoints: Checkpoints?, _ connection: SQLiteConnection) {
        self.path = path
        self.checkpoints = checkpoints
        // It is safe to send the connection, because the session that opens it is then its only user.
        nonisolated(unsafe) let connection = connection
        writer = ConnectionPool([SQLiteSession(file: file, checkpoints: checkpoints) { connection }])
        readers = path.map { path in
            ConnectionPool(
                (0..<Self.readersAtMost).map { _ in
                    SQLiteSession(isReader: true, file: file) { () throws(SQLiteError) in
                        try Self.connect(path, isMade: false, keeping: file)
                    }
                })
        }
    }

    static func connect(
        _ path: String, isMade: Bool, keeping: AnyObject? = nil
    ) throws(SQLiteError) -> SQLiteConnection {
        let connection = try SQLiteConnection(
            path: path, isMade: isMade, vfs: BufferedLogVFS.name, keeping: keeping)
        // `secure_delete` overwrites deleted and replaced data with zeros.
        try connection.run(
            script: """
                PRAGMA synchronous = FULL; PRAGMA journal_mode = WAL; PRAGMA secure_delete = ON;
                PRAGMA wal_autocheckpoint = \(Checkpoints.walLimit);
                """)
        return connection
    }

    static func reporting<Result>(
        _ path: String, _ body: () throws -> Result
    ) throws(SQLiteJournalError) -> Result {
        do {
            return try body()
        } catch let error as SQLiteJournalError {
            throw error
        } catch {
            throw SQLiteJournalError(path: path, reason: "\(error)")
        }
    }

    public func read(_ statement: Statement, _ values: [Value]) async throws(JournalError) -> [Row] {
        do throws(StatementFailure) {
            let answer =
                if let readers {
                    try await readers.run(statement, values, mayShare: false)
                } else {
                    try await writer.run(statement, values, mayShare: true)
                }
            return answer.rows
        } catch {
            throw error.error
        }
    }

    public func write(_ statement: Statement, _ values: [Value]) async throws(JournalError) -> Answer {
        do throws(StatementFailure) {
            return try await writer.run(statement, values, mayShare: true)
        } catch {
            throw error.error
        }
    }

    /// Commits as much as a claim does, through the same queue and to the same file.
    public func checkDurability(
        rehearsing claim: Statement, _ values: [Value]
    ) async throws(JournalError) -> [DurabilityGap] {
        _ = try await write(.durabilityProbe, [])
        return []
    }

    /// Removes erased data from the log. In the database, deleted rows are already overwritten with zeros, but the
    /// log still has their old values. So the log is moved into the database and truncated. Writes wait for that,
    /// for half a second at a time if there are readers.
    public func purgeFiles() async throws(JournalError) {
        guard let path else { return }
        do {
            let checkpoints = try checkpoints ?? Checkpoints(Self.connect(path, isMade: false))
            try await checkpoints.emptyLog()
        } catch {
            throw .unavailable(reason: "\(error)")
        }
    }
}

extension SQLJournal {
    /// Opens a SQLite file (``SQLiteDriver/init(path:)``).
    public convenience init(
        path: String, onUnreadable: @escaping UnreadableRecordObserver = { _ in },
        observe: @escaping JournalObserver = { _, _, _ in }
    ) throws(SQLiteJournalError) {
        self.init(try SQLiteDriver(path: path), onUnreadable: onUnreadable, observe: observe)
    }

    /// Opens a SQLite file that another process may own (``SQLiteDriver/init(attachingTo:)``).
    public convenience init(
        attachingTo path: String, onUnreadable: @escaping UnreadableRecordObserver = { _ in }
    ) throws(SQLiteJournalError) {
        self.init(try SQLiteDriver(attachingTo: path), onUnreadable: onUnreadable)
    }
}
