public import PaymentRelay
import PayrelayPrimitives

/// R1, R2, R7, R13: of concurrent changes, one is written. The payment's version and unique constraints decide
/// which one. ``Change/obstacle(known:keyUse:isTokenUsed:)`` decides the result of the others.
extension SQLJournal {
    public func commit(_ change: Change) async throws(JournalError) -> CommitResult {
        guard try await isWritten(change) else { return try await obstacle(of: change) }
        if change.endsUnsent { await mergeUnsentAttempts(of: change.after.merchantReference) }
        return .written
    }

    private func isWritten(_ change: Change) async throws(JournalError) -> Bool {
        let written = WrittenChange(change)
        let commit = commits[ChangeShape(of: written)]
        let operation: JournalOperation = change.claimed == nil ? .commit : .claim
        return try await write(operation, commit.statement, commit.values(of: written)).count == 1
    }

    /// Returns why a change was not written. Not inlined: otherwise its variables would be in the frame of every
    /// commit.
    @inline(never) private func obstacle(of change: Change) async throws(JournalError) -> CommitResult {
        // The driver may have run the statement twice. The first run wrote, and its answer was lost with the
        // connection.
        if change.claimed == nil, let before = change.before, try await hasEntry(of: change, after: before) {
            return .written
        }
        let rows = try await read(
            .claim, .holders,
            [.text(change.after.merchantReference), .text(change.tokenIdentifier), .text(change.keyChange?.takenKey)])
        var holders: [String: Row] = [:]
        for row in rows { holders[try reading { () throws(UnreadableRecord) in try row.text("holds") }] = row }
        let known = holders["reference"].map(Payment.read)
        let use = try holders["key"].map { row throws(JournalError) in
            try reading { () throws(UnreadableRecord) in try KeyUse(row: row) }
        }
        let obstacle = change.obstacle(
            known: known, keyUse: { _ in use },
            // A payment that is claimed again may have held the same token before. Its own row is not an obstacle.
            isTokenUsed: { holders["token"] != nil })
        if case .recordUnreadable(let record)? = obstacle { onUnreadable(record) }
        // Without an obstacle now, the obstacle has disappeared in the meantime.
        return obstacle ?? .versionChanged
    }

    /// Returns whether the history already has the change.
    private func hasEntry(of change: Change, after before: Payment) async throws(JournalError) -> Bool {
        let values: [Value] = [
            .text(before.merchantReference), .integer(before.version), .integer(change.identifier),
        ]
        return try await !read(.history, .entryOfChange, values).isEmpty
    }

    public func use(ofKey key: String) async throws(JournalError) -> KeyUse? {
        let row = try await read(.keyUse, .keyUse, [.text(key)]).first
        return try reading { () throws(UnreadableRecord) in
            try row.map { row throws(UnreadableRecord) in try KeyUse(row: row) }
        }
    }

    /// Merges two attempts that were not sent into one with a count; see ``UnsentAttempts``. These entries no
    /// longer change, so the merge needs no transaction with the newest entry. If it fails, the history has more
    /// entries, but the same content.
    private func mergeUnsentAttempts(of merchantReference: String) async {
        let newest = try? await read(.history, .newestEntries, [.text(merchantReference)])
            .reversed().map { try HistoryEntry(row: $0, of: merchantReference) }
        guard let newest, let merged = UnsentAttempts.merged(newest) else { return }
        _ = try? await write(
            .history, .mergeAttempts,
            [.text(merchantReference)] + newest.map { .integer($0.number) } + [
                .integer(merged.begin.times), .moment(merged.begin.since), .integer(merged.end.times),
                .moment(merged.end.since),
            ])
    }
}

extension KeyChange {
    /// The key that a change takes; `nil` for any other change.
    fileprivate var takenKey: String? { if case .taken(let key, _) = self { key } else { nil } }
}

extension KeyUse {
    fileprivate init(row: Row) throws(UnreadableRecord) {
        self.init(of: try row.text("merchant_reference"), operation: try row.optionalText("key_operation"))
    }
}

extension Statement {
    /// The payments that hold a change's reference, token or key. There are three look-ups instead of one OR: for
    /// an OR, a server that has not yet gathered statistics reads all rows.
    static let holders = Statement(
        "claim_holders", isRepeatable: true,
        """
        SELECT \(paymentColumns), 'reference' AS holds, CAST(NULL AS text) AS key_operation
        FROM payment WHERE merchant_reference = $1
        UNION ALL SELECT \(paymentColumns), 'token' AS holds, CAST(NULL AS text) AS key_operation FROM payment
        WHERE token_digest IS NOT NULL AND substr(apple_transaction_identifier, 1, 64) = $2
        UNION ALL SELECT \(paymentColumns), 'key' AS holds,
            (SELECT operation FROM idempotency_key WHERE owned_key = $3) AS key_operation FROM payment
        WHERE merchant_reference = (SELECT merchant_reference FROM idempotency_key WHERE owned_key = $3)
        """)

    fileprivate static let entryOfChange = Statement(
        "entry_of_change", isRepeatable: true,
        "SELECT number FROM history WHERE merchant_reference = $1 AND number > $2 AND change_identifier = $3 LIMIT 1")

    fileprivate static let keyUse = Statement(
        "key_use", isRepeatable: true,
        "SELECT merchant_reference, operation AS key_operation FROM idempotency_key WHERE owned_key = $1")

    fileprivate static let newestEntries = Statement(
        "newest_entries", isRepeatable: true,
        """
        SELECT \(entryColumns) FROM history WHERE merchant_reference = $1
        ORDER BY number DESC LIMIT \(UnsentAttempts.entries)
        """)

    /// It is repeatable: the second time, the first two entries are gone.
    fileprivate static let mergeAttempts = Statement(
        "merge_attempts", isRepeatable: true, isGuarded: false,
        """
        UPDATE history SET times = CASE number WHEN $4 THEN $6 ELSE $8 END, since = CASE number WHEN $4 THEN $7 ELSE $9 END
        WHERE merchant_reference = $1 AND number IN ($4, $5)
            AND (SELECT count(*) FROM history WHERE merchant_reference = $1 AND number IN ($2, $3)) = 2
        """,
        [
            "DELETE FROM query_without_change WHERE merchant_reference = $1 AND entry IN ($2, $3)",
            "DELETE FROM history WHERE merchant_reference = $1 AND number IN ($2, $3)",
        ])
}
