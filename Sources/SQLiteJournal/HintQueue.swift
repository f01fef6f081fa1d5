public import FoundationEssentials
import GRDB
public import PaymentRelay

extension SQLiteJournal {
    public func add(
        _ hint: ProcessorHint, kind: FeedbackKind, at moment: Date, limit: Int
    ) async throws(JournalError) -> Bool {
        try await write { try $0.add(hint, kind: kind, at: moment, limit: limit) }
    }

    public func leaseHints(limit: Int, at moment: Date, until expiry: Date) async throws(JournalError) -> [PendingHint]
    {
        try await write { try $0.leaseHints(limit: limit, at: moment, until: expiry) }
    }

    public func end(_ pending: PendingHint, as end: HintEnd, at moment: Date) async throws(JournalError) {
        try await write { try $0.end(pending, as: end, at: moment) }
    }

    public func hintSummary() async throws(JournalError) -> HintSummary {
        try await read { try $0.hintSummary() }
    }

    public func deleteRestedHints(before moment: Date) async throws(JournalError) {
        try await write { try $0.deleteRestedHints(before: moment) }
    }
}

extension JournalMigrations {
    /// See ``HintQueue``. A row rests where it waits since no moment. `due_at` is when it may be leased, when its lease expires, or when its
    /// rest ends.
    static func addHints(to database: Database) throws {
        try database.execute(
            sql: """
                CREATE TABLE hint (
                    merchant_reference TEXT NOT NULL,
                    account TEXT NOT NULL,
                    text TEXT NOT NULL,
                    kind TEXT NOT NULL,
                    is_mixed INTEGER NOT NULL,
                    times INTEGER NOT NULL,
                    questions_in_vain INTEGER NOT NULL,
                    waiting_since INTEGER,
                    due_at INTEGER NOT NULL,
                    PRIMARY KEY (merchant_reference, account)
                ) STRICT;
                CREATE INDEX hint_by_due ON hint (due_at) WHERE waiting_since IS NOT NULL;
                """)
    }
}

extension Database {
    fileprivate func add(_ hint: ProcessorHint, kind: FeedbackKind, at moment: Date, limit: Int) throws -> Bool {
        // Numbers and times that no version of this code wrote are replaced.
        let statement = try cachedStatement(
            sql: """
                INSERT INTO hint (merchant_reference, account, text, kind, is_mixed, times, questions_in_vain, waiting_since, due_at)
                SELECT :reference, :account, :text, :kind, 0, 1, 0, :moment, :moment
                WHERE (SELECT count(*) FROM hint) < :limit
                    OR EXISTS (SELECT 1 FROM hint WHERE merchant_reference = :reference AND account = :account)
                ON CONFLICT (merchant_reference, account) DO UPDATE SET
                    is_mixed = times > 0 AND (is_mixed OR text <> excluded.text),
                    text = excluded.text, kind = excluded.kind,
                    times = CASE WHEN times BETWEEN 0 AND \(PaymentRecord.countLimit - 1) THEN times + 1 ELSE 1 END,
                    due_at = CASE WHEN waiting_since IS NULL AND due_at NOT BETWEEN :moment AND \(EpochMilliseconds.last)
                        THEN :moment ELSE due_at END,
                    waiting_since = coalesce(waiting_since, :moment)
                """)
        try statement.execute(arguments: [
            "reference": hint.merchantReference, "account": hint.account, "text": hint.storedText,
            "kind": kind.rawValue,
            "moment": moment.milliseconds, "limit": limit,
        ])
        return changesCount == 1
    }

    fileprivate func leaseHints(limit: Int, at moment: Date, until expiry: Date) throws -> [PendingHint] {
        let find = try cachedStatement(
            sql: """
                SELECT rowid, * FROM hint
                WHERE waiting_since IS NOT NULL AND (due_at <= ? OR due_at > \(EpochMilliseconds.last))
                ORDER BY due_at LIMIT ?
                """)
        let lease = try cachedStatement(sql: "UPDATE hint SET due_at = ? WHERE rowid = ?")
        let delete = try cachedStatement(sql: "DELETE FROM hint WHERE rowid = ?")
        return try Row.fetchAll(find, arguments: [moment.milliseconds, limit]).compactMap { row in
            let columns = StrictColumns(row)
            let rowid = try columns.integer("rowid")
            guard let hint = try? HintRecord(columns).hint(leasedUntil: expiry) else {
                try delete.execute(arguments: [rowid])
                return nil
            }
            try lease.execute(arguments: [expiry.milliseconds, rowid])
            return hint
        }
    }

    fileprivate func end(_ pending: PendingHint, as end: HintEnd, at moment: Date) throws {
        switch end {
        case .answered:
            guard try endLease(of: pending, until: moment, isInVain: false, at: moment) else { return }
            let delete = try cachedStatement(
                sql: "DELETE FROM hint WHERE merchant_reference = ? AND account = ? AND waiting_since IS NULL")
            try delete.execute(arguments: [pending.hint.merchantReference, pending.hint.account])
        case .inVain(let rest): _ = try endLease(of: pending, until: rest, isInVain: true, at: moment)
        case .postponed(let later):
            let postpone = try cachedStatement(sql: "UPDATE hint SET due_at = :later WHERE \(Self.holdsHint)")
            try postpone.execute(arguments: ["later": later.milliseconds] + Self.lease(of: pending))
        }
    }

    /// Has the row rest, or wait for what came since it was leased.
    ///
    /// - Returns: false where the lease is no longer the hint's.
    private func endLease(of pending: PendingHint, until due: Date, isInVain: Bool, at moment: Date) throws -> Bool {
        let statement = try cachedStatement(
            sql: """
                UPDATE hint SET due_at = :due, is_mixed = is_mixed AND times - :times > 1,
                    waiting_since = CASE WHEN times > :times THEN :moment END, times = max(times - :times, 0),
                    questions_in_vain = CASE WHEN NOT :isInVain THEN 0
                        WHEN questions_in_vain < \(PaymentRecord.countLimit) THEN questions_in_vain + 1
                        ELSE questions_in_vain END
                WHERE \(Self.holdsHint) AND times BETWEEN 0 AND \(PaymentRecord.countLimit)
                """)
        let arguments: StatementArguments = [
            "due": due.milliseconds, "times": pending.times, "moment": moment.milliseconds, "isInVain": isInVain,
        ]
        try statement.execute(arguments: arguments + Self.lease(of: pending))
        return changesCount == 1
    }

    private static let holdsHint =
        "merchant_reference = :reference AND account = :account AND due_at = :expiry AND waiting_since IS NOT NULL"

    private static func lease(of pending: PendingHint) -> StatementArguments {
        [
            "reference": pending.hint.merchantReference, "account": pending.hint.account,
            "expiry": pending.leaseExpiresAt.milliseconds,
        ]
    }

    fileprivate func hintSummary() throws -> HintSummary {
        let statement = try cachedStatement(
            sql: "SELECT count(*) AS count, min(waiting_since) AS oldest FROM hint WHERE waiting_since IS NOT NULL")
        guard let row = try Row.fetchOne(statement) else { return HintSummary() }
        let columns = StrictColumns(row)
        return HintSummary(count: try columns.integer("count"), oldest: try columns.nearestMoment("oldest"))
    }

    fileprivate func deleteRestedHints(before moment: Date) throws {
        let statement = try cachedStatement(
            sql: "DELETE FROM hint WHERE waiting_since IS NULL AND due_at NOT BETWEEN ? AND \(EpochMilliseconds.last)")
        try statement.execute(arguments: [moment.milliseconds])
    }
}

extension HintRecord {
    fileprivate init(_ columns: StrictColumns) throws(UnreadableRecord) {
        self.init(
            merchantReference: try columns.text("merchant_reference"), account: try columns.text("account"),
            text: try columns.text("text"), kind: try columns.text("kind"),
            isMixed: try columns.integer("is_mixed") != 0, times: try columns.integer("times"),
            questionsInVain: try columns.integer("questions_in_vain"))
    }
}
