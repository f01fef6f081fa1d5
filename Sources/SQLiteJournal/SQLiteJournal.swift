import CSQLite
public import FoundationEssentials
import GRDB
public import PaymentRelay

/// The embedded journal: one SQLite file, in WAL mode with `synchronous=FULL`, so that what returned has reached the
/// disk.
///
/// One process owns the file (``JournalFile``). While the file is not the one at its path any more, nothing is written
/// and every write fails. Many instances share a `PostgresJournal`.
public final class SQLiteJournal: Journal {
    let pool: DatabasePool
    let onUnreadable: UnreadableRecordObserver
    let commits: GroupCommit
    /// Nil where another process owns the file.
    private let checkpoints: Checkpoints?

    /// Opens the journal, making the file and its tables where they are missing.
    ///
    /// - Parameters:
    ///   - path: of the SQLite file; its `-wal`, `-shm` and `.lock` lie beside it. Files that are made can be read and written
    ///     by their owner alone, whatever the umask: SQLite gives its own the permissions of the first.
    ///   - onUnreadable: called with each record that is set aside, each time it is met.
    /// - Throws: ``SQLiteJournalError`` where another process has it, or it cannot be opened.
    public init(
        path: String, onUnreadable: @escaping UnreadableRecordObserver = { _ in }
    ) throws(SQLiteJournalError) {
        self.onUnreadable = onUnreadable
        let file = try JournalFile(path: path)
        let configuration = Self.configuration(holding: file)
        do {
            pool = try Self.openPool(path, configuration)
            guard try pool.read({ try !JournalMigrations.all.hasBeenSuperseded($0) }) else {
                throw SQLiteJournalError(path: path, reason: "a newer payrelay has written to it")
            }
            try JournalMigrations.all.migrate(pool)
            try pool.write { try $0.releaseAll() }
            // A migration writes the whole journal to its WAL, which would keep that size. A reader may prevent the
            // checkpoint.
            _ = try? pool.writeWithoutTransaction { try $0.checkpoint(.truncate) }
            let checkpoints = try Checkpoints(path: path, configuration: configuration)
            try file.rememberFiles()
            try file.check()
            self.checkpoints = checkpoints
            commits = GroupCommit(pool, checkpoints: checkpoints, file: file)
        } catch let error as SQLiteJournalError {
            throw error
        } catch {
            throw SQLiteJournalError(path: path, reason: "\(error)")
        }
    }

    /// Opens a journal that another process may own, to read or to write a little: nothing is made, migrated or
    /// released.
    ///
    /// - Throws: ``SQLiteJournalError`` where there is none, or its tables are of another version.
    public init(
        attachingTo path: String, onUnreadable: @escaping UnreadableRecordObserver = { _ in }
    ) throws(SQLiteJournalError) {
        self.onUnreadable = onUnreadable
        checkpoints = nil
        guard FileManager.default.fileExists(atPath: path) else {
            throw SQLiteJournalError(path: path, reason: "there is no such file")
        }
        try JournalFile.refuseHardLinks(path)
        do {
            pool = try Self.openPool(path, Self.configuration)
            commits = GroupCommit(pool)
            guard try pool.read({ try JournalMigrations.all.hasCompletedMigrations($0) }) else {
                throw SQLiteJournalError(path: path, reason: "its tables are of another version; start the relay first")
            }
        } catch let error as SQLiteJournalError {
            throw error
        } catch {
            throw SQLiteJournalError(path: path, reason: "\(error)")
        }
    }

    /// Set once, before SQLite is first used: each allocation would lock a mutex for statistics that nothing reads.
    private static let countsNoMemory: Void = payrelay_sqlite_count_no_memory()

    private static func openPool(_ path: String, _ configuration: Configuration) throws -> DatabasePool {
        _ = countsNoMemory
        let pool = try DatabasePool(path: path, configuration: configuration)
        // Not in the configuration: GRDB sets the writer of a pool to NORMAL once it is configured. What returned as
        // written would be on the disk by the next checkpoint only, and a machine that loses its power would forget
        // charges.
        try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
        return pool
    }

    /// One whose connections keep the file as long as they are open.
    private static func configuration(holding file: JournalFile) -> Configuration {
        var configuration = configuration
        configuration.prepareDatabase { _ in withExtendedLifetime(file) {} }
        return configuration
    }

    static var configuration: Configuration {
        var configuration = Configuration()
        configuration.prepareDatabase { database in
            try database.execute(sql: "PRAGMA wal_autocheckpoint = \(Checkpoints.walLimit)")
            // What is deleted or replaced is overwritten with zeros.
            try database.execute(sql: "PRAGMA secure_delete = ON")
        }
        configuration.busyMode = .timeout(Double(Checkpoints.busyTimeout) / 1_000)
        return configuration
    }

    public func claim(_ claim: Claim) async throws(JournalError) -> ClaimResult {
        let result = try await writePayment { try $0.payments.claim(claim) }
        if case .recordUnreadable(let record) = result { onUnreadable(record) }
        return result
    }

    public func record(_ payment: Payment, because entry: HistoryEntry) async throws(JournalError) -> Bool {
        try await writePayment { try $0.payments.record(payment, because: entry) }
    }

    public func redactEvent(
        _ number: Int, of merchantReference: String, to event: [UInt8]
    ) async throws(JournalError) {
        try await write { try $0.redactEvent(number, of: merchantReference, to: event) }
    }

    public func transition(
        _ payment: Payment, receipt: [UInt8]?, because entry: HistoryEntry
    ) async throws(JournalError) -> Bool {
        try await writePayment { try $0.payments.transition(payment, receipt: receipt, because: entry) }
    }

    public func compareAndSet(
        _ old: Payment, to new: Payment, because entry: HistoryEntry
    ) async throws(JournalError) -> Bool {
        try await writePayment { try $0.payments.compareAndSet(old, to: new, because: entry) }
    }

    public func payment(_ merchantReference: String) async throws(JournalError) -> Payment? {
        try await read { try $0.payment(merchantReference) }
    }

    public func history(of merchantReference: String) async throws(JournalError) -> [HistoryEntry] {
        try await read { try $0.history(of: merchantReference) }
    }

    public func lease(limit: Int, at moment: Date, until expiry: Date) async throws(JournalError) -> [Payment] {
        try await write { try $0.lease(limit: limit, at: moment, until: expiry) }.readable(onUnreadable)
    }

    public func release(_ merchantReference: String, lease: Lease, at moment: Date) async throws(JournalError) {
        try await write { try $0.release(merchantReference, lease: lease, at: moment) }
    }

    public func openPayments(limit: Int) async throws(JournalError) -> [Payment] {
        try await read { try $0.openPayments(limit: limit) }.readable(onUnreadable)
    }

    public func openSummary(overdueBefore moment: Date) async throws(JournalError) -> OpenSummary {
        try await read { try $0.openSummary(overdueBefore: moment) }
    }

    public func paymentsHoldingCustomerData(
        claimedBefore moment: Date, after place: PaymentCursor?, limit: Int
    ) async throws(JournalError) -> [PaymentCursor] {
        try await read { try $0.paymentsHoldingCustomerData(claimedBefore: moment, after: place, limit: limit) }
    }

    /// Commits as much as a claim does, through the same queue and to the same file.
    public func checkDurability() async throws(JournalError) {
        try await write { try $0.execute(sql: "UPDATE durability_probe SET times = times + 1") }
    }

    /// Deleted rows are overwritten with zeros by then; what they were is left in the log, which is moved into the database and cut to
    /// nothing. Writes wait for that, for half a second where somebody reads.
    public func purgeErased() async throws(JournalError) {
        do {
            try await Checkpoints.emptyLog(by: checkpoints?.database ?? pool)
        } catch {
            throw journalError(error)
        }
    }

    /// Returns once the change is committed.
    func write<Value: Sendable>(
        _ change: @escaping @Sendable (Database) throws -> Value
    ) async throws(JournalError) -> Value {
        do {
            return try await commits.write(change)
        } catch {
            throw journalError(error)
        }
    }

    /// As ``write(_:)``, by the statements that are prepared for it.
    private func writePayment<Value: Sendable>(
        _ change: @escaping @Sendable (JournalWriter) throws -> Value
    ) async throws(JournalError) -> Value {
        do {
            return try await commits.writePayment(change)
        } catch {
            throw journalError(error)
        }
    }

    func read<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(JournalError) -> Value {
        do {
            return try await pool.read(body)
        } catch {
            throw journalError(error)
        }
    }

    private func journalError(_ error: any Error) -> JournalError {
        switch error {
        case let record as UnreadableRecord:
            onUnreadable(record)
            return .unreadable(record)
        case is TooManyWrites: return .overloaded(reason: "too many writes wait for the disk")
        default: return .unavailable(reason: "\(error)")
        }
    }
}
