public import FoundationEssentials
public import PaymentRelay

extension SQLJournal {
    public func lease<Work: LeasedWork>(
        _ kind: Work.Type, of processor: String?, limit: Int, at moment: Date, until expiry: Date
    ) async throws(JournalError) -> [Work] {
        let values: [Value] = [
            .moment(moment), .moment(expiry), .integer(limit), .moment(Work.latestLeaseEnd(at: moment)),
        ]
        // A journal keeps milliseconds.
        let leasedUntil = EpochMilliseconds(expiry).date
        let work: [any LeasedWork]
        switch kind {
        case is Payment.Type: work = try await leasePayments(values + [.text(processor)], until: leasedUntil)
        case is DueEvent.Type:
            work = try await write(.leaseEvents, .leaseEvents, values).rows
                .compactMap { DueEvent.read($0, leasedUntil: leasedUntil) }.readable(onUnreadable)
        case is PendingHint.Type: work = try await leaseHints(values + [.text(processor)], until: leasedUntil)
        default: work = []
        }
        return work.compactMap { $0 as? Work }
    }

    /// Reads the payments once they are leased. A statement of PostgreSQL's that meets a row which has changed since it began takes
    /// the new row, and does not find the entry of the history that came with it.
    private func leasePayments(_ values: [Value], until expiry: Date) async throws(JournalError) -> [Payment] {
        let rows = try await write(.lease, .leasePayments, values).rows
        let known = try await knownPayments(rows.map(\.reference))
        return rows.compactMap { row in
            guard let payment = known[row.reference], payment.isOpen, let number = try? row.integer("lease_number"),
                payment.lease == Lease(number: number, expiresAt: expiry)
            else { return nil }
            return payment
        }
    }

    public func end<Work: LeasedWork>(_ work: Work, as end: Work.End, at moment: Date) async throws(JournalError) {
        switch (work, end) {
        case (let payment as Payment, .postponed(let later) as Payment.LeaseEnd):
            _ = try await write(
                .release, .releasePayment,
                [
                    .text(payment.merchantReference), .integer(payment.lease.number), .moment(payment.lease.expiresAt),
                    .moment(later),
                ])
        case (let event as DueEvent, let end as DueEvent.End): try await self.end(event, as: end, at: moment)
        case (let hint as PendingHint, let end as HintEnd): try await self.end(hint, as: end, at: moment)
        default: break
        }
    }

    private func end(_ event: DueEvent, as end: DueEvent.End, at moment: Date) async throws(JournalError) {
        let lease: [Value] = [
            .text(event.merchantReference), .integer(event.number), .moment(event.leasedUntil), .integer(event.attempt),
        ]
        let (delivery, due, isAcknowledged): (DeliveryAttempt?, Date?, Bool) =
            switch end {
            case .acknowledged(let delivery): (delivery, moment, true)
            case .postponed(let later, let delivery): (delivery, later, false)
            case .deadLettered(let delivery): (delivery, nil, false)
            }
        let statement = Statement.endDelivery(isAcknowledged: isAcknowledged, isRecorded: delivery != nil)
        _ = try await write(
            isAcknowledged ? .acknowledgeEvent : .postponeEvent, statement,
            lease + [.moment(due)] + (delivery?.values ?? []))
    }
}

extension DueEvent {
    /// Nil where the payment has no event that is not acknowledged.
    fileprivate static func read(_ row: Row, leasedUntil expiry: Date) -> Result<DueEvent, UnreadableRecord>? {
        guard row["number"] != .null else { return nil }
        return Result { () throws(UnreadableRecord) in
            DueEvent(
                merchantReference: row.reference, number: try row.integer("number"),
                at: try row.required("at", row.nearestMoment("at")), attempt: try row.integer("events_attempts"),
                leasedUntil: expiry, recorded: try row.bytes("event"))
        }
    }
}

extension DeliveryAttempt {
    fileprivate var values: [Value] {
        [
            .moment(at), .text(result.rawValue), .text(endpoint), .integer(status), .text(error),
            .integer(milliseconds),
            .text(answer), .moment(nextAt),
        ]
    }
}

extension Statement {
    /// A number beyond the limit is left as it is: to count it on would overflow and fail the whole statement.
    private static func counted(_ column: String) -> String {
        "\(column) = CASE WHEN \(column) BETWEEN 0 AND \(Row.countLimit) THEN \(column) + 1 ELSE \(column) END"
    }

    fileprivate static let leasePayments = Statement(
        "lease_payments",
        """
        \(due("payment INDEXED BY payment_open WHERE opened_at IS NOT NULL AND processor = $5", by: "lease_expires_at"))
        UPDATE payment SET lease_expires_at = $2, \(counted("lease_number"))
        WHERE merchant_reference IN (\(dueReferences))
        RETURNING merchant_reference, lease_number
        """)

    /// Two ranges of the index, of which the second is mostly empty: what was written before the clock was set back.
    private static func due(_ rows: String, by column: String) -> String {
        """
        WITH due AS (
            SELECT merchant_reference FROM \(rows) AND \(column) <= $1
            ORDER BY \(column) LIMIT $3 FOR UPDATE SKIP LOCKED),
        ahead AS (
            SELECT merchant_reference FROM \(rows) AND \(column) > $4 AND \(column) <= \(EpochMilliseconds.last)
            ORDER BY \(column) LIMIT $3 FOR UPDATE SKIP LOCKED)
        """
    }

    private static let dueReferences =
        "SELECT merchant_reference FROM due UNION ALL SELECT merchant_reference FROM ahead LIMIT $3"

    fileprivate static let releasePayment = Statement(
        "release_payment", isRepeatable: true,
        """
        UPDATE payment SET lease_expires_at = $4
        WHERE merchant_reference = $1 AND lease_number = $2 AND lease_expires_at = $3
        """)

    fileprivate static let leaseEvents = Statement(
        "lease_events",
        """
        \(due("payment INDEXED BY payment_by_events_due WHERE events_due_at IS NOT NULL", by: "events_due_at"))
        UPDATE payment SET events_due_at = $2, \(counted("events_attempts"))
        WHERE merchant_reference IN (\(dueReferences))
        RETURNING merchant_reference, events_attempts, \(ofNextEvent("number")), \(ofNextEvent("at")),
            \(ofNextEvent("event"))
        """)

    private static func ofNextEvent(_ column: String) -> String {
        """
        (SELECT history.\(column) FROM history WHERE history.merchant_reference = payment.merchant_reference
            AND history.number > payment.events_acknowledged AND history.event IS NOT NULL
            ORDER BY history.number LIMIT 1) AS \(column)
        """
    }

    /// Ends the lease of an event and keeps the attempt to deliver it among the newest ones. Repeatable: the second time nothing is leased
    /// so any more, or the same is set again, and the attempt of that lease is there.
    fileprivate static func endDelivery(isAcknowledged: Bool, isRecorded: Bool) -> Statement {
        ends[(isAcknowledged ? 2 : 0) + (isRecorded ? 1 : 0)]
    }

    private static let ends = [(false, false), (false, true), (true, false), (true, true)].map {
        isAcknowledged, isRecorded in
        let assignments =
            isAcknowledged
            ? """
            events_acknowledged = $2, events_attempts = 0, events_due_at = CASE WHEN events_last > $2 THEN $5 END,
            events_waiting_since = CASE WHEN events_last > $2 THEN $5 END
            """ : "events_due_at = $5"
        // After a resend by hand less is acknowledged, or it was leased less often.
        let update = """
            UPDATE payment SET \(assignments)
            WHERE merchant_reference = $1 AND events_acknowledged < $2 AND events_attempts = $4 AND events_due_at = $3
            """
        let name = "\(isAcknowledged ? "acknowledge" : "postpone")_\(isRecorded ? "recorded" : "silent")"
        guard isRecorded else { return Statement(name, isRepeatable: true, update) }
        // PostgreSQL runs the last one first. It has to find the payment's row before the update changes it.
        return Statement(name, isRepeatable: true, isGuarded: false, dropOldAttempts, [update, keepAttempt])
    }

    /// Makes room for the attempt, unless the attempt is there already.
    private static let dropOldAttempts = """
        DELETE FROM event_delivery WHERE merchant_reference = $1 AND entry = $2 AND number IN (
            SELECT number FROM event_delivery WHERE merchant_reference = $1 AND entry = $2
            ORDER BY number DESC LIMIT \(Int.max) OFFSET \(DeliveryAttempt.kept - 1))
            AND NOT \(isKept)
        """

    private static let isKept = """
        EXISTS (SELECT 1 FROM event_delivery
            WHERE merchant_reference = $1 AND entry = $2 AND leased_until = $3 AND at = $6)
        """

    /// Locks the payment's row, and so reads it as it is, where it has changed since the statement began: an erasure that is written
    /// meanwhile would not find the answer.
    private static let keepAttempt = """
        INSERT INTO event_delivery (merchant_reference, entry, number, leased_until, at, result, endpoint, status, error,
            milliseconds, answer, next_at)
        SELECT $1, $2, coalesce((
                SELECT CASE WHEN number < \(Row.countLimit) THEN number + 1 END FROM event_delivery
                WHERE merchant_reference = $1 AND entry = $2 ORDER BY number DESC LIMIT 1), 1),
            $3, $6, $7, $8, $9, $10, $11, CASE WHEN holds_customer_data = 1 THEN $12 END, $13
        FROM payment WHERE merchant_reference = $1 AND NOT \(isKept) FOR UPDATE
        ON CONFLICT DO NOTHING
        """
}
