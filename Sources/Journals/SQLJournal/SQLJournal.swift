public import FoundationEssentials
public import PaymentRelay
import PayrelayPrimitives

/// The journal in an SQL database. Its statements are written here, once for all databases. A ``Driver`` has
/// everything that differs between databases.
///
/// Every write is one statement, or several in one transaction (``Statement``). Unique constraints and the
/// payment's version decide which of several writes is first. So READ COMMITTED is enough, and it does not matter
/// if a database undoes one of two colliding transactions.
public final class SQLJournal: Journal {
    let driver: any Driver
    let onUnreadable: UnreadableRecordObserver
    private let observe: JournalObserver
    let commits = CommitStatements()

    /// - Parameters:
    ///   - driver: the driver of a database that has the tables of ``Schema``.
    ///   - onUnreadable: called with each record that is set aside, each time the record is read.
    ///   - observe: called after each read and each write.
    public init(
        _ driver: any Driver, onUnreadable: @escaping UnreadableRecordObserver = { _ in },
        observe: @escaping JournalObserver = { _, _, _ in }
    ) {
        self.driver = driver
        self.onUnreadable = onUnreadable
        self.observe = observe
    }

    /// Every read goes through here.
    func read(
        _ operation: JournalOperation, _ statement: Statement, _ values: [Value] = []
    ) async throws(JournalError) -> [Row] {
        try await timed(operation) { () async throws(JournalError) in try await driver.read(statement, values) }
    }

    /// Every write goes through here.
    func write(
        _ operation: JournalOperation, _ statement: Statement, _ values: [Value]
    ) async throws(JournalError) -> Answer {
        try await timed(operation) { () async throws(JournalError) in try await driver.write(statement, values) }
    }

    private func timed<Result: Sendable>(
        _ operation: JournalOperation, _ body: () async throws(JournalError) -> Result
    ) async throws(JournalError) -> Result {
        let start = ContinuousClock.now
        do throws(JournalError) {
            let result = try await body()
            observe(operation, start.duration(to: .now), nil)
            return result
        } catch {
            observe(operation, start.duration(to: .now), error)
            throw error
        }
    }

    /// Returns the value that `body` reads. If `body` cannot read a record, the observer is called with the record.
    func reading<Value>(_ body: () throws(UnreadableRecord) -> Value) throws(JournalError) -> Value {
        do throws(UnreadableRecord) {
            return try body()
        } catch {
            onUnreadable(error)
            throw .unreadable(error)
        }
    }

    @discardableResult public func checkDurability() async throws(JournalError) -> [DurabilityGap] {
        let moment = Date()
        // The reference is empty, which no order's reference is.
        let payment = Payment(
            merchantReference: "", command: .purchase, amount: 0, currency: "", fingerprint: nil,
            appleTransactionIdentifier: "", claimedAt: moment, gateway: "")
        let claim = WrittenChange(
            Change(
                before: nil, after: payment, kind: .claim, origin: Origin(.client(nil), request: nil), at: moment,
                claimed: Change.Claimed(token: nil, idempotencyKey: "")))
        let commit = commits[ChangeShape(of: claim)]
        return try await timed(.checkDurability) { () async throws(JournalError) in
            try await driver.checkDurability(
                rehearsing: commit.statement, commit.values(of: claim))
        }
    }

    public func purge(at moment: Date) async throws(JournalError) {
        try await deleteRestedHints(before: moment - 86_400)
        try await timed(.purgeErased) { () async throws(JournalError) in try await driver.purgeFiles() }
    }

    /// Ends every lease, for the one process that owns a SQLite database, because all holders have stopped.
    ///
    /// If a row has waited since a time in the future, it was written before the clock was set back, and becomes
    /// due as well. Open payments keep their order, because the index by which they are leased also has the time
    /// since which they are open. Hints keep their times, which say when the gateway may be queried again.
    public static let releaseAll = """
        UPDATE work SET due_at = 0 WHERE kind = 'query';
        UPDATE work SET due_at = min(since, CAST(strftime('%s', 'now') AS INTEGER) * 1000)
            WHERE kind = 'deliver' AND due_at IS NOT NULL;
        """
}

extension Statement {
    /// Changes as many pages of a SQLite database as a claim at most. If there is not enough room for them, a claim
    /// would fail, too.
    public static let durabilityProbe = Statement(
        "durability_probe", isRepeatable: true, "UPDATE durability_probe SET times = times + 1")
}
