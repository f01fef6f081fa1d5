public import FoundationEssentials
public import PaymentRelay

/// Each method reads a row, decides how the row changes (``PendingHint/adding(_:charge:kind:)``,
/// ``PendingHint/without(_:inVain:)``), and writes the row if it is still the same.
extension SQLJournal {
    public func add(
        _ hint: GatewayHint, of gateway: String, charge: String?, kind: FeedbackKind, at moment: Date, limit: Int
    ) async throws(JournalError) -> Bool {
        let key: [Value] = [.text(hint.merchantReference), .text(hint.account)]
        let first = PendingHint(first: hint, charge: charge, kind: kind)
        let insertion = key + [.text(gateway), .text(first.payload), .moment(moment), .integer(limit)]
        // Each further attempt means that the row has changed in between.
        for _ in 0..<Self.hintAttempts {
            if let row = try await read(.addHint, .hintRow, key).first {
                // Numbers and texts that no version of this code wrote are replaced.
                let known = try? PendingHint(row: row, atLeast: 0)
                guard let next = known.map({ $0.adding(hint, charge: charge, kind: kind) }) ?? first else {
                    return false
                }
                let values =
                    key + [
                        .truth(row.isWaiting), row.payload, .text(next.payload), .truth(known != nil), .text(gateway),
                        .moment(moment),
                    ]
                if try await write(.addHint, .addToHint, values).count == 1 { return true }
            } else {
                if try await write(.addHint, .addHint, insertion).count == 1 { return true }
                if try await !read(.addHint, .hintRow, key).isEmpty { continue }
                // Rows whose cooldown is over may be lost, so they are deleted in a separate write. It deletes
                // several at once, so that the next hints need not delete any.
                _ = try await write(
                    .addHint, .makeRoom,
                    [.moment(moment), .integer(limit), .integer(max(1, limit / 100)), .text(gateway)])
                if try await write(.addHint, .addHint, insertion).count == 1 { return true }
                if try await read(.addHint, .hintRow, key).isEmpty { return false }
            }
        }
        throw .contended
    }

    private static let hintAttempts = 64

    /// Leases hints. Rows that no version of this code wrote are deleted: a hint proves nothing, and the gateway's
    /// next hint, or a reconciliation report, replaces it.
    func leaseHints(_ values: [Value], until expiry: Date) async throws(JournalError) -> [PendingHint] {
        var hints: [PendingHint] = []
        // PostgreSQL returns the rows in any order.
        let rows = try await write(.leaseHints, .leaseHints, values).rows.sorted {
            ((try? $0.integer("since")) ?? 0) < ((try? $1.integer("since")) ?? 0)
        }
        for row in rows {
            do throws(UnreadableRecord) {
                hints.append(try PendingHint(row: row, leasedUntil: expiry, atLeast: 1))
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
        case .inVain(let cooldownEnd):
            try await leaveRest(of: pending, lease, inVain: true, dueAt: cooldownEnd, at: moment)
        case .answered:
            if try await write(.endHint, .deleteAnsweredHint, lease + [.integer(pending.times)]).count == 0 {
                try await leaveRest(of: pending, lease, inVain: false, dueAt: moment, at: moment)
            }
        }
    }

    /// Makes the row wait with the hints that came since it was leased, or begins its cooldown if none came.
    private func leaveRest(
        of asked: PendingHint, _ lease: [Value], inVain: Bool, dueAt: Date, at moment: Date
    ) async throws(JournalError) {
        for _ in 0..<Self.hintAttempts {
            guard let row = try await read(.endHint, .hintRow, Array(lease.prefix(2))).first,
                let known = try? PendingHint(row: row, atLeast: 1)
            else { return }
            let rest = known.without(asked, inVain: inVain)
            let values =
                lease + row.asRead + [
                    .text(rest.payload), .integer(rest.times), .moment(dueAt), .moment(rest.times > 0 ? moment : nil),
                ]
            if try await write(.endHint, .leaveRestOfHint, values).count == 1 { return }
            // Either another instance holds the row by now, or a hint came.
            guard let now = try await read(.endHint, .hintRow, Array(lease.prefix(2))).first,
                (try? now.optionalInteger("due_at")) == EpochMilliseconds(asked.leaseExpiresAt).milliseconds
            else { return }
        }
        throw .contended
    }

    func deleteRestedHints(before moment: Date) async throws(JournalError) {
        _ = try await write(.deleteRestedHints, .deleteRestedHints, [.moment(moment)])
    }
}

extension PendingHint {
    /// - Parameter least: the smallest permitted number of hints. A row in cooldown has none.
    fileprivate init(row: Row, leasedUntil expiry: Date = .distantPast, atLeast least: Int) throws(UnreadableRecord) {
        let pending = PendingHint(
            account: try row.text("account"), merchantReference: try row.text("merchant_reference"),
            payload: try row.text("payload"), times: try row.count("newest", from: least), leaseExpiresAt: expiry)
        self = try row.required("payload", pending)
    }
}

extension Row {
    /// Whether hints wait in the row, so that it is not in cooldown.
    fileprivate var isWaiting: Bool { (try? integer("newest")).map { $0 > 0 } ?? false }

    /// The payload as it was read.
    fileprivate var payload: Value { .text((try? optionalText("payload")) ?? "") }

    /// The values that show whether a hint's row is still the one that was read.
    fileprivate var asRead: [Value] { [.integer((try? integer("newest")) ?? 0), payload] }
}

extension Statement {
    private static let hint = "kind = 'hint' AND merchant_reference = $1 AND account = $2"

    fileprivate static let hintRow = Statement(
        "hint_row", isRepeatable: true,
        "SELECT merchant_reference, account, newest, payload, due_at FROM work WHERE \(hint)")

    /// Returns the number of a gateway's rows, both waiting and in cooldown, each counted by its index.
    private static func rows(of gateway: String) -> String {
        ["work_by_due WHERE since IS NOT NULL", "work_by_cooldown WHERE since IS NULL"].map { index in
            "(SELECT count(*) FROM work INDEXED BY \(index) AND kind = 'hint' AND gateway = \(gateway))"
        }.joined(separator: " + ")
    }

    fileprivate static let addHint = Statement(
        "add_hint",
        """
        INSERT INTO work (kind, merchant_reference, account, gateway, due_at, attempt, since, entry, newest, payload)
        SELECT 'hint', $1, $2, $3, $5, 0, $5, 0, 1, $4 WHERE \(rows(of: "$3")) < $6
        ON CONFLICT DO NOTHING
        """)

    /// Adds a hint to a row that is still the one that was read. A row in cooldown becomes due when the cooldown
    /// ends.
    ///
    /// Equal hints do not change the row's text, so instances can add them at the same time. Of concurrent hints
    /// that differ, one is added, and the others read the row again.
    fileprivate static let addToHint = Statement(
        "add_to_hint",
        """
        UPDATE work SET payload = $5, newest = CASE WHEN $6 = 1 THEN newest + 1 ELSE 1 END, gateway = $7,
            since = coalesce(since, $8),
            due_at = CASE WHEN since IS NULL AND coalesce(due_at, -1) NOT BETWEEN $8 AND \(EpochMilliseconds.last)
                THEN $8 ELSE due_at END
        WHERE \(hint) AND CASE WHEN newest > 0 THEN 1 ELSE 0 END = $3 AND coalesce(payload, '') = $4
        """)

    /// If there is no room for another hint, deletes rows whose cooldown is over, the oldest first. It is
    /// repeatable, because there is room the second time.
    fileprivate static let makeRoom = Statement(
        "make_room_for_hint", isRepeatable: true,
        """
        WITH rested AS (
            SELECT merchant_reference, account FROM work INDEXED BY work_by_cooldown
            WHERE kind = 'hint' AND gateway = $4 AND since IS NULL AND due_at <= $1 AND \(rows(of: "$4")) >= $2
            ORDER BY due_at LIMIT $3 FOR UPDATE SKIP LOCKED)
        DELETE FROM work
        WHERE kind = 'hint' AND (merchant_reference, account) IN (SELECT merchant_reference, account FROM rested)
        """)

    fileprivate static let leaseHints = lease(.hint, returning: "")

    private static let holdsHint = "\(hint) AND due_at = $3 AND since IS NOT NULL"

    fileprivate static let postponeHint = Statement(
        "postpone_hint", isRepeatable: true, "UPDATE work SET due_at = $4 WHERE \(holdsHint)")

    fileprivate static let deleteAnsweredHint = Statement(
        "delete_answered_hint", "DELETE FROM work WHERE \(holdsHint) AND newest BETWEEN 0 AND $4")

    fileprivate static let leaveRestOfHint = Statement(
        "leave_rest_of_hint",
        """
        UPDATE work SET payload = $6, newest = $7, due_at = $8, since = $9
        WHERE \(holdsHint) AND newest = $4 AND coalesce(payload, '') = $5
        """)

    /// Deletes only the row that was leased: a repetition must not delete a hint that came since.
    fileprivate static let deleteHint = Statement(
        "delete_hint", isRepeatable: true, "DELETE FROM work WHERE \(hint) AND due_at = $3")

    fileprivate static let deleteRestedHints = Statement(
        "delete_rested_hints", isRepeatable: true,
        """
        DELETE FROM work
        WHERE kind = 'hint' AND since IS NULL AND coalesce(due_at, -1) NOT BETWEEN $1 AND \(EpochMilliseconds.last)
        """)
}
