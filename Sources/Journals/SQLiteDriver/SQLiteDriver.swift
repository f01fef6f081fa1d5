import CSQLite
import FoundationEssentials
public import PaymentRelay
public import SQLJournal

/// One SQLite file, in WAL mode with `synchronous=FULL`, so that what returned has reached the disk.
///
/// One process owns the file (``JournalFile``). While the file is not the one at its path any more, nothing is written
/// and every write fails.
public final class SQLiteDriver: Driver {
    public let dialect = Dialect.sqlite
    /// One connection: all writes that wait share its commits.
    let writer: ConnectionPool
    /// The writer waits for none of them. Nil where the writer's connection is the only one.
    private let readers: ConnectionPool?
    /// Nil where another process owns the file, or there is none.
    private let checkpoints: Checkpoints?
    private let path: String?

    private static let readersAtMost = 4

    /// Opens the journal, making the file and its tables where they are missing.
    ///
    /// - Parameter path: of the SQLite file; its `-wal`, `-shm` and `.lock` lie beside it. Files that are made can be read and written
    ///   by their owner alone, whatever the umask: SQLite gives its own the permissions of the first.
    /// - Throws: ``SQLiteJournalError`` where another process has it, it cannot be opened, or it is gone.
    public convenience init(path: String) throws(SQLiteJournalError) {
        try JournalFile.refuseLoss(of: path)
        let file = try JournalFile(path: path)
        let connection = try Self.reporting(path) {
            let connection = try Self.connect(path, isMade: true, keeping: file)
            try Schema.migrate(connection, in: .sqlite)
            try connection.run(script: SQLJournal.releaseAll + "DROP TABLE IF EXISTS \(Schema.backupDigest)")
            // A migration may write the whole journal to the log, which would keep that size. A reader may prevent it.
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

    /// Opens a journal that another process may own, to read or to write a little: nothing is made, migrated or
    /// released.
    ///
    /// - Throws: ``SQLiteJournalError`` where there is none, or its tables are of another version.
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

    /// A journal in memory: nothing outlives it.
    ///
    /// - Throws: ``SQLiteJournalError`` where there is no memory for it.
    public static func inMemory() throws(SQLiteJournalError) -> SQLiteDriver {
        let path = ":memory:"
        let connection = try reporting(path) {
            let connection = try SQLiteConnection(path: path)
            try Schema.migrate(connection, in: .sqlite)
            return connection
        }
        return SQLiteDriver(path: nil, file: nil, checkpoints: nil, connection)
    }

    /// Whether the file is gone though a relay had its journal there: then none is begun in its place.
    public static func isLost(path: String) -> Bool { JournalFile.isLost(path) }

    private init(path: String?, file: JournalFile?, checkpoints: Checkpoints?, _ connection: SQLiteConnection) {
        self.path = path
        self.checkpoints = checkpoints
        // Safe to be sent: opened by the session, which then has it alone.
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
        // What is deleted or replaced is overwritten with zeros.
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

    /// Deleted rows are overwritten with zeros by then; what they were is left in the log, which is moved into the database and cut to
    /// nothing. Writes wait for that, for half a second where somebody reads.
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
