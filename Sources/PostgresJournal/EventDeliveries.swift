public import PaymentRelay

extension PostgresJournal {
    public func eventProgress(of merchantReference: String) async throws(JournalError) -> EventProgress? {
        let records = try await run(.deliveries, [.text(merchantReference)]).rows.compactMap { row in
            try? (entry: row.integer("entry"), record: DeliveryRecord(row))
        }
        return try await read(.eventProgress, [.text(merchantReference)]) { answer throws(UnreadableRecord) in
            guard let row = answer.rows.first else { return nil }
            let dueAt = try row.nearestMoment("events_due_at")
            return EventProgress(
                acknowledged: try row.integer("events_told"), dueAt: dueAt,
                isDeadLettered: row.bytes("events_waiting_since") != nil && dueAt == nil,
                attempts: EventProgress.attempts(records))
        }
    }

    public func eraseDeliveries(of merchantReference: String) async throws(JournalError) {
        _ = try await run(.eraseDeliveries, [.text(merchantReference)])
    }
}

extension DeliveryRecord {
    fileprivate init(_ row: PostgresRow) throws(UnreadableRecord) {
        self.init(
            number: try row.integer("number"), at: try row.integer("at"), result: try row.text("result"),
            endpoint: try row.text("endpoint"), status: try row.optionalInteger("status"),
            error: try row.optionalText("error"), milliseconds: try row.integer("milliseconds"),
            answer: try row.optionalText("answer"), nextAt: try row.optionalInteger("next_at"))
    }
}

extension PostgresRow {
    func optionalInteger(_ column: String) throws(UnreadableRecord) -> Int? {
        bytes(column) == nil ? nil : try integer(column)
    }
}

extension DeliveryAttempt {
    /// The parameters of ``PostgresStatement/keepDelivery(_:)`` after the event's five.
    static func values(_ delivery: DeliveryAttempt?) -> [PostgresValue] {
        [
            .moment(delivery?.at), .text(delivery?.result.rawValue), .text(delivery?.endpoint),
            .integer(delivery?.status), .text(delivery?.error), .integer(delivery?.milliseconds),
            .text(delivery?.answer), .moment(delivery?.nextAt),
        ]
    }
}

extension PostgresStatement {
    /// Changes the payment of an event (its reference, number, attempt and lease are the first parameters), and keeps the attempt to
    /// deliver it among the newest ones. The second time, the attempt of that lease is there.
    ///
    /// The statement returns one row where the payment was changed.
    static func keepDelivery(_ update: String) -> String {
        """
        WITH kept AS (
            INSERT INTO event_delivery (merchant_reference, entry, number, leased_until, at, result, endpoint, status, error,
                milliseconds, answer, next_at)
            SELECT $1::text, $2::bigint, coalesce((
                    SELECT CASE WHEN number < \(PaymentRecord.countLimit) THEN number + 1 END FROM event_delivery
                    WHERE merchant_reference = $1 AND entry = $2 ORDER BY number DESC LIMIT 1), 1),
                $4::bigint, $6::bigint, $7::text, $8::text, $9::bigint, $10::text, $11::bigint,
                CASE WHEN holds_customer_data THEN $12::text END, $13::bigint
            FROM payment WHERE merchant_reference = $1 AND $6::bigint IS NOT NULL
            AND NOT EXISTS (
                SELECT 1 FROM event_delivery WHERE merchant_reference = $1 AND entry = $2 AND leased_until = $4 AND at = $6::bigint)
            ON CONFLICT DO NOTHING),
        dropped AS (
            DELETE FROM event_delivery WHERE $6::bigint IS NOT NULL AND merchant_reference = $1 AND entry = $2 AND number IN (
                SELECT number FROM event_delivery WHERE merchant_reference = $1 AND entry = $2
                ORDER BY number DESC OFFSET \(DeliveryAttempt.kept - 1)))
        \(update)
        """
    }

    /// However many there are, as many are read as are kept.
    fileprivate static let deliveries = PostgresStatement(
        "deliveries", isRepeatable: true,
        """
        SELECT entry, number, at, result, endpoint, status, error, milliseconds, answer, next_at FROM event_delivery
        WHERE merchant_reference = $1 AND number > (
            SELECT greatest(max(number), 0) FROM event_delivery AS newest
            WHERE newest.merchant_reference = $1 AND newest.entry = event_delivery.entry) - \(DeliveryAttempt.kept)
        """)

    fileprivate static let eventProgress = PostgresStatement(
        "event_progress", isRepeatable: true,
        "SELECT events_told, events_due_at, events_waiting_since FROM payment WHERE merchant_reference = $1")

    fileprivate static let eraseDeliveries = PostgresStatement(
        "erase_deliveries", isRepeatable: true, "DELETE FROM event_delivery WHERE merchant_reference = $1")
}
