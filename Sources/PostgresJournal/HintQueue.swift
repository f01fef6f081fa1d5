public import FoundationEssentials
public import PaymentRelay

extension PostgresJournal {
    public func add(
        _ hint: ProcessorHint, kind: FeedbackKind, at moment: Date, limit: Int
    ) async throws(JournalError) -> Bool {
        try await run(
            .addHint,
            [
                .text(hint.merchantReference), .text(hint.account), .text(hint.storedText), .text(kind.rawValue),
                .moment(moment), .integer(limit),
            ]
        ).count == 1
    }

    public func leaseHints(limit: Int, at moment: Date, until expiry: Date) async throws(JournalError) -> [PendingHint]
    {
        let rows = try await run(.leaseHints, [.moment(moment), .moment(expiry), .integer(limit)]).rows
        var leased: [(hint: PendingHint, since: Int)] = []
        for row in rows {
            if let hint = try? HintRecord(row).hint(leasedUntil: expiry), let since = try? row.integer("was_due_at") {
                leased.append((hint, since))
            } else if let reference = try? row.text("merchant_reference"), let account = try? row.text("account") {
                _ = try await run(.deleteLeasedHint, [.text(reference), .text(account), .moment(expiry)])
            }
        }
        return leased.sorted { $0.since < $1.since }.map(\.hint)
    }

    public func end(_ pending: PendingHint, as end: HintEnd, at moment: Date) async throws(JournalError) {
        switch end {
        case .answered:
            guard try await endLease(of: pending, until: moment, isInVain: false, at: moment) else { return }
            _ = try await run(.deleteAnsweredHint, Array(pending.lease.prefix(2)))
        case .inVain(let rest): _ = try await endLease(of: pending, until: rest, isInVain: true, at: moment)
        case .postponed(let later): _ = try await run(.postponeHint, pending.lease + [.moment(later)])
        }
    }

    /// Has the row rest, or wait for what came since it was leased.
    ///
    /// - Returns: false where the lease is no longer the hint's.
    private func endLease(
        of pending: PendingHint, until due: Date, isInVain: Bool, at moment: Date
    ) async throws(JournalError) -> Bool {
        try await run(
            .endHintLease,
            pending.lease + [.integer(pending.times), .moment(due), .moment(moment), .boolean(isInVain)]
        ).count == 1
    }

    public func hintSummary() async throws(JournalError) -> HintSummary {
        try await read(.hintSummary, []) { answer throws(UnreadableRecord) in
            guard let row = answer.rows.first else { return HintSummary() }
            return HintSummary(count: try row.integer("count"), oldest: try row.nearestMoment("oldest"))
        }
    }

    public func deleteRestedHints(before moment: Date) async throws(JournalError) {
        _ = try await run(.deleteRestedHints, [.moment(moment)])
    }
}

extension PendingHint {
    /// The first parameters of the statements that need its lease.
    fileprivate var lease: [PostgresValue] {
        [.text(hint.merchantReference), .text(hint.account), .moment(leaseExpiresAt)]
    }
}

extension HintRecord {
    fileprivate init(_ row: PostgresRow) throws(UnreadableRecord) {
        self.init(
            merchantReference: try row.text("merchant_reference"), account: try row.text("account"),
            text: try row.text("text"), kind: try row.text("kind"), isMixed: try row.boolean("is_mixed"),
            times: try row.integer("times"), questionsInVain: try row.integer("questions_in_vain"))
    }
}

extension PostgresMigrations {
    // See HintQueue. A row rests where it waits since no moment. `due_at` is when it may be leased, when its lease expires, or when its
    // rest ends.
    static let hints = """
        CREATE TABLE IF NOT EXISTS hint (
            merchant_reference text NOT NULL,
            account text NOT NULL,
            text text NOT NULL,
            kind text NOT NULL,
            is_mixed boolean NOT NULL,
            times bigint NOT NULL,
            questions_in_vain bigint NOT NULL,
            waiting_since bigint,
            due_at bigint NOT NULL,
            PRIMARY KEY (merchant_reference, account)
        );
        CREATE INDEX IF NOT EXISTS hint_by_due ON hint (due_at) WHERE waiting_since IS NOT NULL;
        """
}

extension PostgresStatement {
    /// A hint that is counted twice because the connection was lost is no harm, and neither is a row too many where several instances
    /// add at once. Numbers and times that no version of this code wrote are replaced.
    fileprivate static let addHint = PostgresStatement(
        "add_hint", isRepeatable: true,
        """
        INSERT INTO hint AS known (merchant_reference, account, text, kind, is_mixed, times, questions_in_vain,
            waiting_since, due_at)
        SELECT $1::text, $2::text, $3::text, $4::text, false, 1, 0, $5::bigint, $5::bigint
        WHERE (SELECT count(*) FROM hint) < $6::bigint
            OR EXISTS (SELECT 1 FROM hint WHERE merchant_reference = $1::text AND account = $2::text)
        ON CONFLICT (merchant_reference, account) DO UPDATE SET
            is_mixed = known.times > 0 AND (known.is_mixed OR known.text <> excluded.text),
            text = excluded.text, kind = excluded.kind,
            times = CASE WHEN known.times BETWEEN 0 AND \(PaymentRecord.countLimit - 1) THEN known.times + 1 ELSE 1 END,
            due_at = CASE WHEN known.waiting_since IS NULL
                    AND known.due_at NOT BETWEEN excluded.due_at AND \(EpochMilliseconds.last)
                THEN excluded.due_at ELSE known.due_at END,
            waiting_since = coalesce(known.waiting_since, excluded.waiting_since)
        """)

    fileprivate static let leaseHints = PostgresStatement(
        "lease_hints",
        """
        WITH due AS (
            SELECT merchant_reference, account, due_at FROM hint
            WHERE waiting_since IS NOT NULL AND (due_at <= $1 OR due_at > \(EpochMilliseconds.last))
            ORDER BY due_at LIMIT $3 FOR UPDATE SKIP LOCKED)
        UPDATE hint SET due_at = $2 FROM due
        WHERE hint.merchant_reference = due.merchant_reference AND hint.account = due.account
        RETURNING hint.merchant_reference, hint.account, hint.text, hint.kind, hint.is_mixed, hint.times,
            hint.questions_in_vain, due.due_at AS was_due_at
        """)

    private static let holdsHint =
        "merchant_reference = $1 AND account = $2 AND due_at = $3 AND waiting_since IS NOT NULL"

    fileprivate static let deleteLeasedHint = PostgresStatement(
        "delete_leased_hint", isRepeatable: true, "DELETE FROM hint WHERE \(holdsHint)")

    /// Repeatable, as is the next one: the second time the row has no such lease any more.
    fileprivate static let endHintLease = PostgresStatement(
        "end_hint_lease", isRepeatable: true,
        """
        UPDATE hint SET due_at = $5, is_mixed = is_mixed AND times - $4 > 1,
            waiting_since = CASE WHEN times > $4 THEN $6::bigint END, times = greatest(times - $4, 0),
            questions_in_vain = CASE WHEN NOT $7::boolean THEN 0
                WHEN questions_in_vain < \(PaymentRecord.countLimit) THEN questions_in_vain + 1 ELSE questions_in_vain END
        WHERE \(holdsHint) AND times BETWEEN 0 AND \(PaymentRecord.countLimit)
        """)

    fileprivate static let postponeHint = PostgresStatement(
        "postpone_hint", isRepeatable: true, "UPDATE hint SET due_at = $4 WHERE \(holdsHint)")

    fileprivate static let deleteAnsweredHint = PostgresStatement(
        "delete_answered_hint", isRepeatable: true,
        "DELETE FROM hint WHERE merchant_reference = $1 AND account = $2 AND waiting_since IS NULL")

    fileprivate static let hintSummary = PostgresStatement(
        "hint_summary", isRepeatable: true,
        "SELECT count(*) AS count, min(waiting_since) AS oldest FROM hint WHERE waiting_since IS NOT NULL")

    fileprivate static let deleteRestedHints = PostgresStatement(
        "delete_rested_hints", isRepeatable: true,
        "DELETE FROM hint WHERE waiting_since IS NULL AND due_at NOT BETWEEN $1 AND \(EpochMilliseconds.last)")
}
