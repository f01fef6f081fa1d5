public import PaymentRelay
import FoundationEssentials
import GRDB

extension SQLiteJournal {
    public func record(_ query: QueryWithoutChange, of merchantReference: String) async throws(JournalError) {
        try await write { try $0.record(query, of: merchantReference) }
    }

    public func queriesWithoutChange(of merchantReference: String) async throws(JournalError) -> [QueryWithoutChange] {
        try await read { try $0.queriesWithoutChange(of: merchantReference) }
    }
}

extension JournalMigrations {
    /// What is told of a payment beside its history: see ``QueryLog`` and ``EventOutbox``. Both tables are keyed by the entry of the history,
    /// which grows at its end: a new row lies at the end too, and changes no page of its own.
    static func addHistoryDetails(to database: Database) throws {
        try database.execute(
            sql: """
                ALTER TABLE history ADD COLUMN source TEXT;
                CREATE TABLE query_without_change (
                    entry INTEGER NOT NULL,
                    asker TEXT NOT NULL,
                    answer TEXT NOT NULL,
                    reason TEXT,
                    first_at INTEGER NOT NULL,
                    last_at INTEGER NOT NULL,
                    times INTEGER NOT NULL,
                    PRIMARY KEY (entry, asker)
                ) STRICT, WITHOUT ROWID;
                CREATE TABLE event_delivery (
                    entry INTEGER NOT NULL,
                    number INTEGER NOT NULL,
                    at INTEGER NOT NULL,
                    result TEXT NOT NULL,
                    endpoint TEXT NOT NULL,
                    status INTEGER,
                    error TEXT,
                    milliseconds INTEGER NOT NULL,
                    answer TEXT,
                    next_at INTEGER,
                    PRIMARY KEY (entry, number)
                ) STRICT, WITHOUT ROWID;
                """)
        try database.execute(
            sql: """
                INSERT INTO search_key (slot, claimed_at, merchant_reference, digest)
                SELECT \(SearchKey.madeElsewhere.slot), claimed_at, merchant_reference, \(SearchKey.madeElsewhere.digest)
                FROM payment WHERE length(fingerprint) = 0 ON CONFLICT DO NOTHING
                """)
    }
}

extension Database {
    /// The row of a payment's entry, counted from 1.
    static let entryOfNumber =
        "(SELECT entry FROM history WHERE merchant_reference = :reference AND number = :number)"

    fileprivate func record(_ query: QueryWithoutChange, of merchantReference: String) throws {
        guard query.afterEntry > 0 else { return }
        // A number that no version counted to is left as it is.
        let statement = try cachedStatement(
            sql: """
                INSERT INTO query_without_change (entry, asker, answer, reason, first_at, last_at, times)
                SELECT entry, :asker, :answer, :reason, :first, :last, :times FROM (SELECT \(Self.entryOfNumber) AS entry)
                WHERE entry IS NOT NULL
                ON CONFLICT (entry, asker) DO UPDATE SET answer = excluded.answer, reason = excluded.reason,
                    last_at = excluded.last_at,
                    times = CASE WHEN times < \(PaymentRecord.countLimit) THEN times + excluded.times ELSE times END
                """)
        try statement.execute(arguments: [
            "reference": merchantReference, "number": query.afterEntry, "asker": query.asker.text,
            "answer": query.answer.rawValue, "reason": query.reason, "first": query.first.milliseconds,
            "last": query.last.milliseconds, "times": query.times,
        ])
        let bound = try cachedStatement(
            sql: """
                DELETE FROM query_without_change WHERE (entry, asker) IN (
                    SELECT entry, asker FROM query_without_change WHERE entry = \(Self.entryOfNumber)
                    ORDER BY last_at DESC, asker LIMIT -1 OFFSET \(QueryWithoutChange.askersKept))
                """)
        try bound.execute(arguments: ["reference": merchantReference, "number": query.afterEntry])
    }

    fileprivate func queriesWithoutChange(of merchantReference: String) throws -> [QueryWithoutChange] {
        let statement = try cachedStatement(
            sql: """
                SELECT history.number, query.* FROM history
                CROSS JOIN query_without_change AS query ON query.entry = history.entry
                WHERE history.merchant_reference = ? ORDER BY number, first_at, asker
                """)
        return try Row.fetchAll(statement, arguments: [merchantReference]).compactMap { row in
            let columns = StrictColumns(row)
            return try? QueryWithoutChange(
                afterEntry: columns.integer("number"), asker: columns.text("asker"), answer: columns.text("answer"),
                reason: columns.optionalText("reason"), first: columns.integer("first_at"),
                last: columns.integer("last_at"), times: columns.integer("times"))
        }
    }
}
