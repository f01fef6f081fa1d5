import PaymentRelay

extension PostgresJournal {
    /// Counts two attempts that were not sent as one; see ``RepeatedAttempt``. Nobody changes these entries any more, so it needs no
    /// transaction with the newest of them. Where it cannot be done, the history has more entries, and says the same.
    func mergeRepeatedAttempts(of merchantReference: String) async {
        let newest = try? await read(.newestEntries, [.text(merchantReference)]) { answer throws(UnreadableRecord) in
            try answer.rows.map { row throws(UnreadableRecord) in try HistoryEntry(row: row, of: merchantReference) }
        }
        guard let entries = newest?.reversed(), let merged = RepeatedAttempt.merged(Array(entries)) else { return }
        let values: [PostgresValue] =
            [.text(merchantReference)] + entries.map { .integer($0.number) }
            + [
                .integer(merged.begin.times), .moment(merged.begin.since), .integer(merged.end.times),
                .moment(merged.end.since),
            ]
        _ = try? await run(.mergeAttempts, values)
    }
}

extension PostgresStatement {
    fileprivate static let newestEntries = PostgresStatement(
        "newest_entries", isRepeatable: true,
        """
        SELECT \(entryColumns) FROM history WHERE merchant_reference = $1 ORDER BY entry DESC LIMIT \(RepeatedAttempt.entries)
        """)

    /// The second time, the first two entries are gone.
    fileprivate static let mergeAttempts = PostgresStatement(
        "merge_attempts", isRepeatable: true,
        """
        WITH gone AS (
            DELETE FROM history WHERE merchant_reference = $1 AND entry IN ($2, $3) RETURNING entry),
        unasked AS (
            DELETE FROM query_without_change WHERE merchant_reference = $1 AND entry IN (SELECT entry FROM gone))
        UPDATE history SET times = CASE entry WHEN $4 THEN $6::bigint ELSE $8::bigint END,
            since = CASE entry WHEN $4 THEN $7::bigint ELSE $9::bigint END
        WHERE merchant_reference = $1 AND entry IN ($4, $5) AND (SELECT count(*) FROM gone) = 2
        """)
}
