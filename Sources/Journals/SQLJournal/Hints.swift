public import FoundationEssentials
public import PaymentRelay

extension SQLJournal {
    public func add(
        _ hint: ProcessorHint, of processor: String, charge: String?, kind: FeedbackKind, at moment: Date, limit: Int
    ) async throws(JournalError) -> Bool {
        let values: [Value] = [
            .text(hint.merchantReference), .text(hint.account), .text(hint.storedText), .text(kind.rawValue),
            .moment(moment), .integer(limit), .text(processor), .text(charge.map { $0 + " " } ?? ""),
        ]
        if try await write(.addHint, .addHint, values).count == 1 { return true }
        // A step of its own: a row whose rest is over is no loss. Several of them, so that the next hints need no search.
        _ = try await write(
            .addHint, .makeRoom, [.moment(moment), .integer(limit), .integer(max(1, limit / 100)), .text(processor)])
        return try await write(.addHint, .addHint, values).count == 1
    }

    /// Rows that no version of this code wrote are deleted: a hint proves nothing, and the processor's next one, or a reconciliation
    /// report, makes up for it.
    func leaseHints(_ values: [Value], until expiry: Date) async throws(JournalError) -> [PendingHint] {
        var hints: [PendingHint] = []
        // PostgreSQL returns them in any order.
        let rows = try await write(.leaseHints, .leaseHints, values).rows.sorted {
            ((try? $0.integer("waiting_since")) ?? 0) < ((try? $1.integer("waiting_since")) ?? 0)
        }
        for row in rows {
            do throws(UnreadableRecord) {
                hints.append(try PendingHint(row: row, leasedUntil: expiry))
            } catch {
                guard let account = try? row.text("account") else { continue }
                _ = try await write(.leaseHints, .deleteHint, [.text(row.reference), .text(account), .moment(expiry)])
            }
        }
        return hints
    }

    func end(_ pending: PendingHint, as end: HintEnd, at moment: Date) async throws(JournalError) {
        let lease: [Value] = [
            .text(pending.hint.merchantReference), .text(pending.hint.account), .moment(pending.leaseExpiresAt),
        ]
        switch end {
        case .postponed(let later): _ = try await write(.endHint, .postponeHint, lease + [.moment(later)])
        case .inVain(let rest):
            _ = try await write(
                .endHint, .restHint,
                lease + [.moment(rest), .integer(pending.times), .moment(moment), .truth(true), pending.newerCharges])
        case .answered:
            // Where nothing came since, it is deleted.
            if try await write(.endHint, .deleteAnsweredHint, lease + [.integer(pending.times)]).count == 0 {
                _ = try await write(
                    .endHint, .restHint,
                    lease + [
                        .moment(moment), .integer(pending.times), .moment(moment), .truth(false), pending.newerCharges,
                    ])
            }
        }
    }

    func deleteRestedHints(before moment: Date) async throws(JournalError) {
        _ = try await write(.deleteRestedHints, .deleteRestedHints, [.moment(moment)])
    }
}

extension PendingHint {
    fileprivate init(row: Row, leasedUntil expiry: Date) throws(UnreadableRecord) {
        let hint = ProcessorHint(
            account: try row.text("account"), merchantReference: try row.text("merchant_reference"),
            storedText: try row.text("text"))
        self.init(
            hint: try row.required("text", hint),
            kind: try row.required("kind", FeedbackKind(rawValue: row.text("kind"))),
            isMixed: try row.integer("is_mixed") != 0,
            charges: try row.required("charges", PendingHint.charges(stored: row.text("charges"))),
            times: try row.count("times", from: 1),
            questionsInVain: try row.count("questions_in_vain"), leaseExpiresAt: expiry)
    }

    /// Where the numbers begin in the column `charges` that came since the hint was leased, counted in characters from 1.
    fileprivate var newerCharges: Value { .integer(storedCharges.utf8.count + 1) }
}

extension Statement {
    /// How many rows a processor has, waiting and at rest: each by its index.
    private static func rows(of processor: String) -> String {
        """
        (SELECT count(*) FROM hint INDEXED BY hint_by_due WHERE waiting_since IS NOT NULL AND processor = \(processor))
        + (SELECT count(*) FROM hint INDEXED BY hint_by_rest WHERE waiting_since IS NULL AND processor = \(processor))
        """
    }

    /// The numbers of charges in the row. One that rests has none, whatever wrote it.
    private static let charges = "CASE WHEN hint.times > 0 THEN hint.charges ELSE '' END"

    /// Whether the new hint names no charge, or one that the row has.
    private static let namesKnownCharge =
        "(excluded.charges = '' OR replace(' ' || \(charges), ' ' || excluded.charges, '') <> ' ' || \(charges))"

    private static let hasRoomForCharge =
        "length(\(charges)) - length(replace(\(charges), ' ', '')) < \(PendingHint.chargeLimit)"

    /// Numbers and times that no version of this code wrote are replaced.
    fileprivate static let addHint = Statement(
        "add_hint",
        """
        INSERT INTO hint (merchant_reference, account, processor, text, kind, is_mixed, charges, times,
            questions_in_vain, waiting_since, due_at)
        SELECT $1, $2, $7, $3, $4, 0, $8, 1, 0, $5, $5
        WHERE \(rows(of: "$7")) < $6
            OR EXISTS (SELECT 1 FROM hint WHERE merchant_reference = $1 AND account = $2)
        ON CONFLICT (merchant_reference, account) DO UPDATE SET
            is_mixed = CASE WHEN hint.times > 0 AND (hint.is_mixed <> 0 OR hint.text <> excluded.text) THEN 1 ELSE 0 END,
            charges = CASE WHEN \(namesKnownCharge) THEN \(charges) ELSE (\(charges)) || excluded.charges END,
            processor = excluded.processor, text = excluded.text, kind = excluded.kind,
            times = CASE WHEN hint.times BETWEEN 0 AND \(Row.countLimit - 1) THEN hint.times + 1 ELSE 1 END,
            due_at = CASE WHEN hint.waiting_since IS NULL AND hint.due_at NOT BETWEEN $5 AND \(EpochMilliseconds.last)
                THEN $5 ELSE hint.due_at END,
            waiting_since = coalesce(hint.waiting_since, $5)
        WHERE \(namesKnownCharge) OR \(hasRoomForCharge)
        """)

    /// Where there is no room, deletes rows whose rest is over, those that have rested longest. Repeatable: then there is room.
    fileprivate static let makeRoom = Statement(
        "make_room_for_hint", isRepeatable: true,
        """
        WITH rested AS (
            SELECT merchant_reference, account FROM hint INDEXED BY hint_by_rest
            WHERE processor = $4 AND waiting_since IS NULL AND due_at <= $1 AND \(rows(of: "$4")) >= $2
            ORDER BY due_at LIMIT $3 FOR UPDATE SKIP LOCKED)
        DELETE FROM hint WHERE (merchant_reference, account) IN (SELECT merchant_reference, account FROM rested)
        """)

    fileprivate static let leaseHints = Statement(
        "lease_hints",
        """
        WITH due AS (
            SELECT merchant_reference, account FROM hint
            WHERE processor = $5 AND waiting_since IS NOT NULL AND (due_at <= $1 OR due_at > $4)
            ORDER BY due_at LIMIT $3 FOR UPDATE SKIP LOCKED)
        UPDATE hint SET due_at = $2
        WHERE (merchant_reference, account) IN (SELECT merchant_reference, account FROM due) RETURNING *
        """)

    private static let holdsHint =
        "merchant_reference = $1 AND account = $2 AND due_at = $3 AND waiting_since IS NOT NULL"

    fileprivate static let postponeHint = Statement(
        "postpone_hint", isRepeatable: true, "UPDATE hint SET due_at = $4 WHERE \(holdsHint)")

    fileprivate static let deleteAnsweredHint = Statement(
        "delete_answered_hint", "DELETE FROM hint WHERE \(holdsHint) AND times BETWEEN 0 AND $4")

    /// Has the row rest, or wait for what came since it was leased.
    fileprivate static let restHint = Statement(
        "rest_hint",
        """
        UPDATE hint SET due_at = $4, charges = substr(charges, CAST($8 AS integer)),
            is_mixed = CASE WHEN is_mixed <> 0 AND times - $5 > 1 THEN 1 ELSE 0 END,
            waiting_since = CASE WHEN times > $5 THEN $6 END, times = CASE WHEN times > $5 THEN times - $5 ELSE 0 END,
            questions_in_vain = CASE WHEN $7 = 0 THEN 0
                WHEN questions_in_vain < \(Row.countLimit) THEN questions_in_vain + 1 ELSE questions_in_vain END
        WHERE \(holdsHint) AND times BETWEEN 0 AND \(Row.countLimit)
        """)

    /// Only the row that was leased: a repeat must not delete a hint that came since.
    fileprivate static let deleteHint = Statement(
        "delete_hint", isRepeatable: true,
        "DELETE FROM hint WHERE merchant_reference = $1 AND account = $2 AND due_at = $3")

    fileprivate static let deleteRestedHints = Statement(
        "delete_rested_hints", isRepeatable: true,
        "DELETE FROM hint WHERE waiting_since IS NULL AND due_at NOT BETWEEN $1 AND \(EpochMilliseconds.last)")
}
