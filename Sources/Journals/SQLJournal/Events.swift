public import FoundationEssentials
public import PaymentRelay

extension SQLJournal {
    public func eventProgress(of merchantReference: String) async throws(JournalError) -> EventProgress? {
        let deliveries = try await read(.eventProgress, .deliveries, [.text(merchantReference)])
        let row = try await read(.eventProgress, .eventProgress, [.text(merchantReference)]).first
        return try reading { () throws(UnreadableRecord) in
            guard let row else { return nil }
            let attempts = EventProgress.attempts(deliveries)
            guard let acknowledged = try row.optionalInteger("entry") else {
                return EventProgress(acknowledged: try row.integer("version"), attempts: attempts)
            }
            let dueAt = try row.nearestMoment("due_at")
            return EventProgress(
                acknowledged: acknowledged, dueAt: dueAt, isDeadLettered: dueAt == nil, attempts: attempts)
        }
    }

    public func resendEvents(
        of merchantReference: String, since: Date?, at moment: Date
    ) async throws(JournalError) -> Bool {
        if let since {
            return try await write(
                .resendEvents, .resendEvents, [.text(merchantReference), .moment(since), .moment(moment)]
            ).count == 1
        }
        return try await write(.resendEvents, .resendWaiting, [.text(merchantReference), .moment(moment)]).count == 1
    }

    func leaseEvents(_ values: [Value], until expiry: Date) async throws(JournalError) -> [DueEvent] {
        try await write(.leaseEvents, .leaseDeliveries, values).rows
            .compactMap { DueEvent.read($0, leasedUntil: expiry) }.readable(onUnreadable)
    }

    /// Ends the lease of an event. If another event was added to the payment in the meantime, it is next, and due
    /// at once.
    func end(_ event: DueEvent, as end: DueEvent.End, at moment: Date) async throws(JournalError) {
        let lease: [Value] = [
            .text(event.merchantReference), .integer(event.number), .moment(event.leasedUntil), .integer(event.attempt),
        ]
        let (delivery, due, isAcknowledged): (DeliveryAttempt?, Date?, Bool) =
            switch end {
            case .acknowledged(let delivery): (delivery, moment, true)
            case .postponed(let later, let delivery): (delivery, later, false)
            case .deadLettered(let delivery): (delivery, nil, false)
            }
        // Before the lease ends, and in its own statement, which locks the payment and then nothing else.
        if let delivery {
            _ = try await write(.postponeEvent, .keepAttempt, lease + delivery.values)
        }
        guard isAcknowledged else {
            return _ = try await write(.postponeEvent, .postponeEvent, lease + [.moment(due)])
        }
        if try await write(.acknowledgeEvent, .endDelivery, lease).count == 0 {
            _ = try await write(.acknowledgeEvent, .goOnToNextEvent, lease + [.moment(moment)])
        }
    }
}

extension DueEvent {
    /// Reads a delivery that was leased; `nil` if each event of the payment is acknowledged.
    fileprivate static func read(_ row: Row, leasedUntil expiry: Date) -> Result<DueEvent, UnreadableRecord>? {
        guard row["number"] != .null else { return nil }
        return Result { () throws(UnreadableRecord) in
            DueEvent(
                merchantReference: row.reference, number: try row.integer("number"),
                at: try row.required("at", row.nearestMoment("at")), attempt: try row.integer("attempt"),
                leasedUntil: expiry, recorded: try row.bytes("event"))
        }
    }
}

extension EventProgress {
    /// Returns the attempts that can be read, by the numbers of their entries.
    fileprivate static func attempts(_ rows: [Row]) -> [Int: Attempts] {
        var attempts: [Int: Attempts] = [:]
        let read = rows.compactMap { row in
            try? (entry: row.integer("entry"), number: row.count("number", from: 1), attempt: DeliveryAttempt(row: row))
        }
        for (entry, number, attempt) in read.sorted(by: { $0.number < $1.number }) {
            attempts[entry, default: Attempts()].count = number
            attempts[entry]?.newest.append(attempt)
        }
        for entry in attempts.keys { attempts[entry]?.newest.keep(last: DeliveryAttempt.kept) }
        return attempts
    }
}

extension DeliveryAttempt {
    fileprivate init(row: Row) throws(UnreadableRecord) {
        let (status, nextAt) = (try row.optionalInteger("status"), try row.optionalInteger("next_at"))
        guard status.map({ (100...999).contains($0) }) ?? true else { throw row.unreadable("status") }
        let milliseconds = try row.integer("milliseconds")
        guard milliseconds >= 0 else { throw row.unreadable("milliseconds") }
        self.init(
            at: try row.moment("at"), result: try row.required("result", Result(rawValue: row.text("result"))),
            endpoint: try row.text("endpoint").storable(upTo: 1_024), status: status,
            error: try row.optionalText("error")?.storable(upTo: 1_024), milliseconds: milliseconds,
            answer: try row.optionalText("answer")?.storable(upTo: Self.answerLimit),
            nextAt: nextAt == nil ? nil : try row.moment("next_at"))
    }

    fileprivate var values: [Value] {
        [
            .moment(at), .text(result.rawValue), .text(endpoint), .integer(status), .text(error),
            .integer(milliseconds), .text(answer), .moment(nextAt),
        ]
    }
}

extension Statement {
    fileprivate static let eventProgress = Statement(
        "event_progress", isRepeatable: true,
        """
        SELECT payment.merchant_reference, payment.version, work.entry, work.due_at
        FROM payment LEFT JOIN work ON work.kind = 'deliver' AND work.merchant_reference = payment.merchant_reference
        WHERE payment.merchant_reference = $1
        """)

    /// Reads for each event at most as many attempts as are kept.
    fileprivate static let deliveries = Statement(
        "deliveries", isRepeatable: true,
        """
        SELECT delivery.* FROM history CROSS JOIN event_delivery AS delivery
        WHERE history.merchant_reference = $1 AND history.event IS NOT NULL
            AND delivery.merchant_reference = $1 AND delivery.entry = history.number
            AND delivery.number IN (
                SELECT newest.number FROM event_delivery AS newest
                WHERE newest.merchant_reference = $1 AND newest.entry = history.number
                ORDER BY newest.number DESC LIMIT \(DeliveryAttempt.kept))
        """)

    fileprivate static let leaseDeliveries = lease(
        .deliver, returning: ["number", "at", "event"].map { ", \(ofNextEvent($0))" }.joined())

    private static func ofNextEvent(_ column: String) -> String {
        """
        (SELECT history.\(column) FROM history WHERE history.merchant_reference = work.merchant_reference
            AND history.number > work.entry AND history.event IS NOT NULL
            ORDER BY history.number LIMIT 1) AS \(column)
        """
    }

    fileprivate static let resendEvents = Statement(
        "resend_events", isRepeatable: true,
        """
        INSERT INTO work (kind, merchant_reference, account, gateway, due_at, attempt, since, newest, entry)
        SELECT 'deliver', $1, '', '', $3, 0, $3, resent.last_number, resent.first_number - 1
        FROM (
            SELECT min(CASE WHEN at >= $2 THEN number END) AS first_number, max(number) AS last_number FROM history
            WHERE merchant_reference = $1 AND event IS NOT NULL
        ) AS resent WHERE resent.first_number IS NOT NULL
        ON CONFLICT (kind, merchant_reference, account) DO UPDATE SET attempt = 0, due_at = excluded.due_at,
            since = coalesce(work.since, excluded.since),
            entry = CASE WHEN work.entry < excluded.entry THEN work.entry ELSE excluded.entry END
        """)

    /// Makes the waiting events of a dead-lettered payment due. The second time, the events are due at that very
    /// moment and were not leased yet, and this counts as done, too.
    fileprivate static let resendWaiting = Statement(
        "resend_waiting", isRepeatable: true,
        """
        UPDATE work SET attempt = 0, due_at = $2
        WHERE \(row(.deliver)) AND since IS NOT NULL AND (due_at IS NULL OR due_at = $2 AND attempt = 0)
        """)

    /// The condition that an event's lease is still held. After an operator's resend, fewer events are
    /// acknowledged, or the count of leases begins again.
    private static let holdsEvent = "\(row(.deliver)) AND entry < $2 AND attempt = $4 AND due_at = $3"

    fileprivate static let endDelivery = Statement(
        "end_delivery", isRepeatable: true, "DELETE FROM work WHERE \(holdsEvent) AND newest <= $2")

    fileprivate static let postponeEvent = Statement(
        "postpone_event", isRepeatable: true, "UPDATE work SET due_at = $5 WHERE \(holdsEvent)")

    fileprivate static let goOnToNextEvent = Statement(
        "go_on_to_next_event", isRepeatable: true,
        "UPDATE work SET entry = $2, attempt = 0, due_at = $5, since = $5 WHERE \(holdsEvent)")

    /// Keeps an attempt to deliver an event, among the newest attempts. Repeatable: the second time, the attempt of
    /// that lease is there.
    ///
    /// The statement locks the payment's row, and so reads the row even if it has changed since the statement
    /// began. Otherwise an erasure that is written in the meantime would not find the answer.
    fileprivate static let keepAttempt = Statement(
        "keep_attempt", isRepeatable: true, isGuarded: false,
        """
        DELETE FROM event_delivery WHERE merchant_reference = $1 AND entry = $2 AND number IN (
            SELECT number FROM event_delivery WHERE merchant_reference = $1 AND entry = $2
            ORDER BY number DESC LIMIT \(Int.max) OFFSET \(DeliveryAttempt.kept - 1))
            AND NOT \(isKept)
        """,
        [
            """
            INSERT INTO event_delivery (merchant_reference, entry, number, leased_until, at, result, endpoint, status, error,
                milliseconds, answer, next_at)
            SELECT $1, $2, coalesce((
                    SELECT CASE WHEN number < \(Row.countLimit) THEN number + 1 END FROM event_delivery
                    WHERE merchant_reference = $1 AND entry = $2 ORDER BY number DESC LIMIT 1), 1),
                $3, $5, $6, $7, $8, $9, $10, CASE WHEN holds_customer_data = 1 THEN $11 END, $12
            FROM payment WHERE merchant_reference = $1 AND NOT \(isKept) FOR UPDATE
            ON CONFLICT DO NOTHING
            """
        ])

    private static let isKept = """
        EXISTS (SELECT 1 FROM event_delivery
            WHERE merchant_reference = $1 AND entry = $2 AND leased_until = $3 AND at = $5)
        """
}
