public import PaymentRelay

extension PostgresJournal {
    public func record(_ query: QueryWithoutChange, of merchantReference: String) async throws(JournalError) {
        let values: [PostgresValue] = [
            .text(merchantReference), .integer(query.afterEntry), .text(query.asker.text), .text(query.answer.rawValue),
            .text(query.reason), .moment(query.first), .moment(query.last), .integer(query.times),
        ]
        // A new asker may be one too many.
        if try await run(.recordQuery, values).rows.first.map({ try? $0.integer("times") }) == query.times {
            _ = try await run(.boundQueries, Array(values.prefix(2)))
        }
    }

    public func queriesWithoutChange(of merchantReference: String) async throws(JournalError) -> [QueryWithoutChange] {
        try await run(.queriesWithoutChange, [.text(merchantReference)]).rows.compactMap { row in
            try? QueryWithoutChange(
                afterEntry: row.integer("entry"), asker: row.text("asker"), answer: row.text("answer"),
                reason: row.optionalText("reason"), first: row.integer("first_at"), last: row.integer("last_at"),
                times: row.integer("times"))
        }
    }
}

extension PostgresMigrations {
    // What is told of a payment beside its history: see QueryLog and EventOutbox.
    static let historyDetails = """
        ALTER TABLE history ADD COLUMN IF NOT EXISTS source text;
        CREATE TABLE IF NOT EXISTS query_without_change (
            merchant_reference text NOT NULL,
            entry bigint NOT NULL,
            asker text NOT NULL,
            answer text NOT NULL,
            reason text,
            first_at bigint NOT NULL,
            last_at bigint NOT NULL,
            times bigint NOT NULL,
            PRIMARY KEY (merchant_reference, entry, asker)
        );
        CREATE TABLE IF NOT EXISTS event_delivery (
            merchant_reference text NOT NULL,
            entry bigint NOT NULL,
            number bigint NOT NULL,
            leased_until bigint NOT NULL,
            at bigint NOT NULL,
            result text NOT NULL,
            endpoint text NOT NULL,
            status bigint,
            error text,
            milliseconds bigint NOT NULL,
            answer text,
            next_at bigint,
            PRIMARY KEY (merchant_reference, entry, number)
        );
        INSERT INTO search_key (slot, claimed_at, merchant_reference, digest)
        SELECT \(SearchKey.madeElsewhere.slot), claimed_at, merchant_reference, \(SearchKey.madeElsewhere.digest)
        FROM payment WHERE length(fingerprint) = 0 ON CONFLICT DO NOTHING;
        """
}

extension PostgresStatement {
    /// A question that is counted twice because the connection was lost is no harm.
    fileprivate static let recordQuery = PostgresStatement(
        "record_query", isRepeatable: true,
        """
        INSERT INTO query_without_change AS known (merchant_reference, entry, asker, answer, reason, first_at, last_at, times)
        SELECT $1::text, $2::bigint, $3::text, $4::text, $5::text, $6::bigint, $7::bigint, $8::bigint
        WHERE EXISTS (SELECT 1 FROM history WHERE merchant_reference = $1 AND entry = $2)
        ON CONFLICT (merchant_reference, entry, asker) DO UPDATE SET answer = excluded.answer, reason = excluded.reason,
            last_at = excluded.last_at,
            times = CASE WHEN known.times < \(PaymentRecord.countLimit) THEN known.times + excluded.times ELSE known.times END
        RETURNING times
        """)

    fileprivate static let boundQueries = PostgresStatement(
        "bound_queries", isRepeatable: true,
        """
        DELETE FROM query_without_change WHERE merchant_reference = $1 AND entry = $2 AND asker IN (
            SELECT asker FROM query_without_change WHERE merchant_reference = $1 AND entry = $2
            ORDER BY last_at DESC, asker OFFSET \(QueryWithoutChange.askersKept))
        """)

    fileprivate static let queriesWithoutChange = PostgresStatement(
        "queries_without_change", isRepeatable: true,
        """
        SELECT entry, asker, answer, reason, first_at, last_at, times FROM query_without_change
        WHERE merchant_reference = $1 ORDER BY entry, first_at, asker COLLATE "C"
        """)
}
