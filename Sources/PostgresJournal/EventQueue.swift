public import FoundationEssentials
public import PaymentRelay

extension PostgresJournal {
    public func leaseEvents(limit: Int, at moment: Date, until expiry: Date) async throws(JournalError) -> [DueEvent] {
        let leasedUntil = EpochMilliseconds(expiry).date
        return try await run(.leaseEvents, [.moment(moment), .moment(expiry), .integer(limit)]).rows
            .map { DueEvent.read($0, leasedUntil: leasedUntil) }.readable(onUnreadable)
    }

    public func acknowledge(
        _ event: DueEvent, at moment: Date, after delivery: DeliveryAttempt?
    ) async throws(JournalError) {
        _ = try await run(.acknowledgeEvent, event.lease + [.moment(moment)] + DeliveryAttempt.values(delivery))
    }

    public func postpone(
        _ event: DueEvent, until moment: Date?, after delivery: DeliveryAttempt?
    ) async throws(JournalError) {
        _ = try await run(.postponeEvent, event.lease + [.moment(moment)] + DeliveryAttempt.values(delivery))
    }

    public func resendEvents(
        of merchantReference: String, since: Date, at moment: Date
    ) async throws(JournalError) -> Bool {
        try await run(.resendEvents, [.text(merchantReference), .moment(since), .moment(moment)]).count == 1
    }

    public func resendDeadLetteredEvents(limit: Int, at moment: Date) async throws(JournalError) -> Int {
        try await run(.resendDeadLetteredEvents, [.moment(moment), .integer(limit)]).count
    }

    public func paymentsWithEvents(
        since: Date, after place: PaymentCursor?, limit: Int
    ) async throws(JournalError) -> [PaymentCursor] {
        // No reference is empty; the one before the first moment's first is.
        let values: [PostgresValue] = [
            .moment(place?.at ?? since), .text(place?.merchantReference ?? ""), .moment(since), .integer(limit),
        ]
        return try await run(.paymentsWithEvents, values).rows.compactMap { PaymentCursor(reading: $0) }
    }

    public func deadLetteredPayments(limit: Int) async throws(JournalError) -> [PaymentCursor] {
        try await run(.deadLetteredPayments, [.integer(limit)]).rows.compactMap { PaymentCursor(reading: $0) }
    }

    public func eventSummary() async throws(JournalError) -> EventSummary {
        try await read(.eventSummary, []) { answer throws(UnreadableRecord) in
            guard let row = answer.rows.first else { return EventSummary() }
            return EventSummary(
                undelivered: try row.integer("undelivered"), oldest: try row.nearestMoment("oldest"),
                deadLettered: try row.integer("dead_lettered"))
        }
    }
}

extension DueEvent {
    /// The first parameters of the statements that need its lease.
    fileprivate var lease: [PostgresValue] {
        [.text(merchantReference), .integer(number), .integer(attempt), .moment(leasedUntil)]
    }

    fileprivate static func read(_ row: PostgresRow, leasedUntil expiry: Date) -> Result<DueEvent, UnreadableRecord> {
        Result { () throws(UnreadableRecord) in
            let reference = try row.text("merchant_reference")
            guard let recorded = row.bytes("event") else {
                throw UnreadableRecord(merchantReference: reference, column: "event")
            }
            return DueEvent(
                merchantReference: reference, number: try row.integer("entry"),
                attempt: try row.integer("events_attempts"), leasedUntil: expiry, recorded: recorded)
        }
    }
}

extension PostgresStatement {
    /// What a change sets with its event, which becomes the payment's last; one that is dead-lettered is due again.
    ///
    /// Whether an event is left can be seen in the payment's own row. A session that acknowledges an event while
    /// another is being added waits for the row, reads it again, and would not see the new entry of the history.
    static func queueEvent(_ event: String, at moment: String) -> String {
        """
        events_last = CASE WHEN \(event)::bytea IS NULL THEN events_last ELSE entries + 1 END,
        events_attempts = CASE WHEN \(event)::bytea IS NULL OR events_due_at IS NOT NULL THEN events_attempts ELSE 0 END,
        events_due_at = CASE WHEN \(event)::bytea IS NULL THEN events_due_at ELSE coalesce(events_due_at, \(moment)) END,
        events_waiting_since = CASE WHEN \(event)::bytea IS NULL THEN events_waiting_since
            ELSE coalesce(events_waiting_since, \(moment)) END
        """
    }

    static let leaseEvents = PostgresStatement(
        "lease_events",
        """
        WITH due AS (
            SELECT merchant_reference FROM payment WHERE events_due_at <= $1
            ORDER BY events_due_at LIMIT $3 FOR UPDATE SKIP LOCKED),
        leased AS (
            UPDATE payment SET events_due_at = $2, events_attempts = CASE
                WHEN payment.events_attempts < \(PaymentRecord.countLimit) THEN payment.events_attempts + 1
                ELSE payment.events_attempts END
            FROM due WHERE payment.merchant_reference = due.merchant_reference
            RETURNING payment.merchant_reference, payment.events_told, payment.events_attempts)
        SELECT leased.merchant_reference, leased.events_attempts, history.entry, history.event
        FROM leased JOIN history ON history.merchant_reference = leased.merchant_reference AND history.entry = (
            SELECT min(next.entry) FROM history AS next WHERE next.merchant_reference = leased.merchant_reference
            AND next.entry > leased.events_told AND next.event IS NOT NULL)
        """)

    /// Repeatable, as are the next two: the second time nothing is leased so any more, or the same is set again.
    static let acknowledgeEvent = PostgresStatement(
        "acknowledge_event", isRepeatable: true,
        keepDelivery(
            """
            UPDATE payment SET events_told = $2, events_attempts = 0,
                events_due_at = CASE WHEN events_last > $2 THEN $5::bigint END,
                events_waiting_since = CASE WHEN events_last > $2 THEN $5::bigint END
            WHERE merchant_reference = $1 AND events_told < $2 AND events_attempts = $3 AND events_due_at = $4
            """))

    static let postponeEvent = PostgresStatement(
        "postpone_event", isRepeatable: true,
        keepDelivery(
            """
            UPDATE payment SET events_due_at = $5::bigint
            WHERE merchant_reference = $1 AND events_told < $2 AND events_attempts = $3 AND events_due_at = $4
            """))

    static let resendEvents = PostgresStatement(
        "resend_events", isRepeatable: true,
        """
        UPDATE payment SET events_told = least(payment.events_told, first.entry - 1), events_attempts = 0,
            events_due_at = $3, events_waiting_since = coalesce(payment.events_waiting_since, $3)
        FROM (SELECT min(entry) AS entry FROM history WHERE merchant_reference = $1 AND event IS NOT NULL AND at >= $2) AS first
        WHERE payment.merchant_reference = $1 AND first.entry IS NOT NULL
        """)

    static let resendDeadLetteredEvents = PostgresStatement(
        "resend_dead_lettered_events",
        """
        UPDATE payment SET events_attempts = 0, events_due_at = $1
        WHERE merchant_reference IN (
            SELECT merchant_reference FROM payment
            WHERE events_waiting_since IS NOT NULL AND events_due_at IS NULL LIMIT $2)
        """)

    static let paymentsWithEvents = PostgresStatement(
        "payments_with_events", isRepeatable: true,
        """
        SELECT at, merchant_reference FROM history AS first
        WHERE event IS NOT NULL AND (at, merchant_reference) > ($1, $2) AND at <= \(EpochMilliseconds.last)
        AND NOT EXISTS (
            SELECT 1 FROM history AS earlier WHERE earlier.merchant_reference = first.merchant_reference
            AND earlier.entry < first.entry AND earlier.event IS NOT NULL AND earlier.at >= $3)
        ORDER BY at, merchant_reference LIMIT $4
        """)

    static let deadLetteredPayments = PostgresStatement(
        "dead_lettered_payments", isRepeatable: true,
        """
        SELECT events_waiting_since AS at, merchant_reference FROM payment
        WHERE events_waiting_since IS NOT NULL AND events_due_at IS NULL
        ORDER BY events_waiting_since, merchant_reference LIMIT $1
        """)

    static let eventSummary = PostgresStatement(
        "event_summary", isRepeatable: true,
        """
        SELECT count(*) AS undelivered, min(events_waiting_since) AS oldest,
            count(*) FILTER (WHERE events_due_at IS NULL) AS dead_lettered
        FROM payment WHERE events_waiting_since IS NOT NULL
        """)
}
