public import FoundationEssentials
import GRDB
public import PaymentRelay

/// The embedded journal: one SQLite file, in WAL mode with `synchronous=FULL`, so that what returned has reached the disk.
///
/// One process owns the file (``JournalFile``). While the file is not the one at its path any more, nothing is written and
/// every write fails. The journal of many instances is another room.
public final class SQLiteJournal: Journal {
    let pool: DatabasePool
    let onUnreadable: UnreadableRecordObserver
    let commits: SharedCommits
    /// Opens the journal, making the file and its tables where they are missing.
    ///
    /// - Parameters:
    ///   - path: of the SQLite file; its `-wal`, `-shm` and `.lock` lie beside it. Files that are made can be read and written
    ///     by their owner alone, whatever the umask: SQLite gives its own the permissions of the first.
    ///   - onUnreadable: told of each record that is set aside, each time it is met.
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
            // A migration writes the whole journal to its log, which would keep that size. Whoever looks in may hold it up.
            _ = try? pool.writeWithoutTransaction { try $0.checkpoint(.truncate) }
            let checkpoints = try Checkpoints(path: path, configuration: configuration)
            try file.rememberFiles()
            try file.check()
            commits = SharedCommits(pool, checkpoints: checkpoints, file: file)
        } catch let error as SQLiteJournalError {
            throw error
        } catch {
            throw SQLiteJournalError(path: path, reason: "\(error)")
        }
    }

    /// Opens a journal that another process may own, to look or to write a little: nothing is made, migrated or released.
    ///
    /// - Throws: ``SQLiteJournalError`` where there is none, or its tables are of another version.
    public init(
        attachingTo path: String, onUnreadable: @escaping UnreadableRecordObserver = { _ in }
    ) throws(SQLiteJournalError) {
        self.onUnreadable = onUnreadable
        guard FileManager.default.fileExists(atPath: path) else {
            throw SQLiteJournalError(path: path, reason: "there is no such file")
        }
        try JournalFile.refuseHardLinks(path)
        do {
            pool = try Self.openPool(path, Self.configuration)
            commits = SharedCommits(pool)
            guard try pool.read({ try JournalMigrations.all.hasCompletedMigrations($0) }) else {
                throw SQLiteJournalError(path: path, reason: "its tables are of another version; start the relay first")
            }
        } catch let error as SQLiteJournalError {
            throw error
        } catch {
            throw SQLiteJournalError(path: path, reason: "\(error)")
        }
    }

    private static func openPool(_ path: String, _ configuration: Configuration) throws -> DatabasePool {
        let pool = try DatabasePool(path: path, configuration: configuration)
        // Not in the configuration: GRDB sets the writer of a pool to NORMAL once it is configured. What was told as written
        // would be on the disk by the next checkpoint only, and a machine that loses its power would forget who was charged.
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
            try database.execute(sql: "PRAGMA wal_autocheckpoint = \(Checkpoints.logLimit)")
        }
        configuration.busyMode = .timeout(5)
        return configuration
    }

    public func claim(_ claim: Claim) async throws -> ClaimResult {
        try await commits.write { [onUnreadable] database in
            do {
                if let known = try database.known(claim.payment.merchantReference), !known.canBeClaimedAnew(by: claim) {
                    return .referenceTaken(known)
                }
            } catch let record as UnreadableRecord {
                onUnreadable(record)
                return .recordUnreadable(record)
            }
            if try database.isTaken(claim.token) { return .tokenTaken }
            if let key = claim.idempotencyKey, try database.isTaken(idempotencyKey: key) { return .idempotencyKeyTaken }
            try database.put(claim)
            try database.add(claim.entry, to: claim.payment.merchantReference)
            return .claimed
        }
    }

    public func record(_ payment: Payment, because entry: HistoryEntry) async throws -> Bool {
        try await commits.write { try $0.record(payment, because: entry) }
    }

    public func replaceEvent(_ number: Int, of merchantReference: String, with event: [UInt8]) async throws {
        try await commits.write { try $0.replaceEvent(number, of: merchantReference, with: event) }
    }

    public func move(_ payment: Payment, receipt: [UInt8]?, because entry: HistoryEntry) async throws -> Bool {
        try await commits.write { database in
            guard try database.move(payment, because: entry) else { return false }
            try database.add(entry, receipt: receipt, to: payment.merchantReference)
            return true
        }
    }

    public func replace(_ old: Payment, with new: Payment, because entry: HistoryEntry) async throws -> Bool {
        try await commits.write { database in
            guard try database.replace(old, with: new, because: entry) else { return false }
            try database.removeReceipts(of: old.merchantReference)
            try database.add(entry, receipt: new.receipt, to: old.merchantReference)
            return true
        }
    }

    public func payment(_ merchantReference: String) async throws -> Payment? {
        try await observing(onUnreadable) { try await pool.read { try $0.payment(merchantReference) } }
    }

    public func history(of merchantReference: String) async throws -> [HistoryEntry] {
        try await observing(onUnreadable) { try await pool.read { try $0.history(of: merchantReference) } }
    }

    public func lease(limit: Int, at moment: Date, until expiry: Date) async throws -> [Payment] {
        try await commits.write { try $0.lease(limit: limit, at: moment, until: expiry) }.readable(onUnreadable)
    }

    public func release(_ merchantReference: String, lease: Lease, at moment: Date) async throws {
        try await commits.write { try $0.release(merchantReference, lease: lease, at: moment) }
    }

    public func openPayments(limit: Int) async throws -> [Payment] {
        try await pool.read { try $0.openPayments(limit: limit) }.readable(onUnreadable)
    }

    public func openSummary(overdueBefore moment: Date) async throws -> OpenSummary {
        try await pool.read { try $0.openSummary(overdueBefore: moment) }
    }

    public func paymentsHoldingCustomerData(
        claimedBefore moment: Date, after place: PaymentCursor?, limit: Int
    ) async throws -> [PaymentCursor] {
        try await pool.read { try $0.paymentsHoldingCustomerData(claimedBefore: moment, after: place, limit: limit) }
    }

    /// Commits as much as a claim does, through the same queue and to the same file.
    public func checkDurability() async throws {
        try await commits.write { try $0.execute(sql: "UPDATE durability_probe SET times = times + 1") }
    }
}
