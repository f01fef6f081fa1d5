public import FoundationEssentials
public import PaymentRelay

/// Leases work and ends the leases (``Schema``, the table `work`).
extension SQLJournal {
    public func lease<Work: LeasedWork>(
        _ kind: Work.Type, of gateway: String?, limit: Int, at moment: Date, until expiry: Date
    ) async throws(JournalError) -> [Work] {
        let values: [Value] = [
            .moment(moment), .moment(expiry), .integer(limit), .moment(Work.latestLeaseEnd(at: moment)),
            .text(gateway ?? ""),
        ]
        // A journal keeps times in milliseconds.
        let leasedUntil = EpochMilliseconds(expiry).date
        let work: [any LeasedWork]
        switch kind {
        case is Payment.Type: work = try await leasePayments(values, until: leasedUntil)
        case is DueEvent.Type: work = try await leaseEvents(values, until: leasedUntil)
        case is PendingHint.Type: work = try await leaseHints(values, until: leasedUntil)
        default: work = []
        }
        return work.compactMap { $0 as? Work }
    }

    public func end<Work: LeasedWork>(_ work: Work, as end: Work.End, at moment: Date) async throws(JournalError) {
        switch (work, end) {
        case (let payment as Payment, .postponed(let later) as Payment.LeaseEnd): try await postpone(payment, to: later)
        case (let event as DueEvent, let end as DueEvent.End): try await self.end(event, as: end, at: moment)
        case (let hint as PendingHint, let end as HintEnd): try await self.end(hint, as: end, at: moment)
        default: break
        }
    }

    /// Leases payments, and reads them after that. If a PostgreSQL statement meets a row that has changed since the
    /// statement began, it uses the new row, but does not find the history's entry that came with the row.
    private func leasePayments(_ values: [Value], until expiry: Date) async throws(JournalError) -> [Payment] {
        let rows = try await write(.lease, .leaseQueries, values).rows
        let known = try await knownPayments(rows.map(\.reference))
        return rows.compactMap { row in
            guard let payment = known[row.reference], payment.isOpen, let number = try? row.integer("attempt"),
                payment.lease == Lease(number: number, expiresAt: expiry)
            else { return nil }
            return payment
        }
    }

    private func postpone(_ payment: Payment, to moment: Date) async throws(JournalError) {
        _ = try await write(
            .release, .postponeQuery,
            [
                .text(payment.merchantReference), .integer(payment.lease.number), .moment(payment.lease.expiresAt),
                .moment(moment),
            ])
    }
}

extension Statement {
    /// Leases the due work of a kind and a gateway, from two ranges of the index. The second range, which is mostly
    /// empty, has the work that was written before the clock was set back.
    ///
    /// - Parameter columns: further columns of the leased rows to return.
    static func lease(_ kind: WorkKind, returning columns: String) -> Statement {
        let rows = "work INDEXED BY work_by_due WHERE kind = '\(kind.rawValue)' AND gateway = $5 AND since IS NOT NULL"
        let key = "merchant_reference, account"
        return Statement(
            "lease_\(kind.rawValue)",
            """
            WITH due AS (
                SELECT \(key), due_at FROM \(rows) AND due_at <= $1 ORDER BY due_at, since LIMIT $3 FOR UPDATE SKIP LOCKED),
            ahead AS (
                SELECT \(key), due_at FROM \(rows) AND due_at > $4
                ORDER BY due_at, since LIMIT $3 FOR UPDATE SKIP LOCKED)
            UPDATE work SET due_at = $2, attempt = CASE WHEN attempt BETWEEN 0 AND \(Row.countLimit) THEN attempt + 1 ELSE attempt END
            WHERE kind = '\(kind.rawValue)' AND (\(key)) IN (
                SELECT \(key) FROM due UNION ALL SELECT \(key) FROM ahead LIMIT $3)
            RETURNING merchant_reference, account, attempt, since, newest, payload\(columns)
            """)
    }

    fileprivate static let leaseQueries = lease(.query, returning: "")

    fileprivate static let postponeQuery = Statement(
        "postpone_query", isRepeatable: true,
        "UPDATE work SET due_at = $4 WHERE \(row(.query)) AND attempt = $2 AND due_at = $3")

    /// Returns the condition for the work of a kind on the payment `$1`.
    static func row(_ kind: WorkKind) -> String {
        "kind = '\(kind.rawValue)' AND merchant_reference = $1 AND account = ''"
    }
}

/// The kinds of work, as the table has them.
enum WorkKind: String {
    case query, deliver, hint
}
