import FoundationEssentials
import GRDB
public import PaymentRelay

extension SQLiteJournal {
    public func eventProgress(of merchantReference: String) async throws(JournalError) -> EventProgress? {
        try await read { try $0.eventProgress(of: merchantReference) }
    }

    public func eraseDeliveries(of merchantReference: String) async throws(JournalError) {
        try await write { try $0.eraseDeliveries(of: merchantReference) }
    }
}

extension Database {
    /// Keeps an attempt among the newest of its event.
    func keep(_ delivery: DeliveryAttempt?, of event: DueEvent) throws {
        guard let delivery, event.number > 0 else { return }
        let add = try cachedStatement(
            sql: """
                INSERT INTO event_delivery (entry, number, at, result, endpoint, status, error, milliseconds, answer, next_at)
                SELECT found.entry, coalesce((
                        SELECT CASE WHEN number < \(PaymentRecord.countLimit) THEN number + 1 END FROM event_delivery
                        WHERE event_delivery.entry = found.entry ORDER BY number DESC LIMIT 1), 1),
                    :at, :result, :endpoint, :status, :error, :milliseconds,
                    CASE WHEN (SELECT holds_customer_data FROM payment WHERE merchant_reference = :reference) THEN :answer END,
                    :next
                FROM (SELECT \(Self.entryOfNumber) AS entry) AS found WHERE found.entry IS NOT NULL
                ON CONFLICT DO NOTHING
                """)
        try add.execute(arguments: [
            "reference": event.merchantReference, "number": event.number, "at": delivery.at.milliseconds,
            "result": delivery.result.rawValue, "endpoint": delivery.endpoint, "status": delivery.status,
            "error": delivery.error, "milliseconds": delivery.milliseconds, "answer": delivery.answer,
            "next": delivery.nextAt?.milliseconds,
        ])
        // Most events have one attempt.
        guard event.attempt > 1 || delivery.result != .acknowledged else { return }
        let bound = try cachedStatement(
            sql: """
                DELETE FROM event_delivery WHERE (entry, number) IN (
                    SELECT entry, number FROM event_delivery WHERE entry = \(Self.entryOfNumber)
                    ORDER BY number DESC LIMIT -1 OFFSET \(DeliveryAttempt.kept))
                """)
        try bound.execute(arguments: ["reference": event.merchantReference, "number": event.number])
    }

    fileprivate func eventProgress(of merchantReference: String) throws -> EventProgress? {
        let progress = try cachedStatement(
            sql: """
                SELECT merchant_reference, events_told, events_due_at, events_waiting_since FROM payment
                WHERE merchant_reference = ?
                """)
        guard let row = try Row.fetchOne(progress, arguments: [merchantReference]) else { return nil }
        let columns = StrictColumns(row)
        let dueAt = try columns.nearestMoment("events_due_at")
        return EventProgress(
            acknowledged: try columns.integer("events_told"), dueAt: dueAt,
            isDeadLettered: try columns.optionalInteger("events_waiting_since") != nil && dueAt == nil,
            attempts: try attempts(of: merchantReference))
    }

    private func attempts(of merchantReference: String) throws -> [Int: EventProgress.Attempts] {
        // However many there are, as many are read as are kept.
        let statement = try cachedStatement(
            sql: """
                SELECT history.number AS entry_number, delivery.* FROM history
                CROSS JOIN event_delivery AS delivery ON delivery.entry = history.entry
                WHERE history.merchant_reference = ? AND history.event IS NOT NULL AND delivery.number > (
                    SELECT max(number) FROM event_delivery WHERE entry = history.entry) - \(DeliveryAttempt.kept)
                """)
        let records = try Row.fetchAll(statement, arguments: [merchantReference]).compactMap { row in
            let columns = StrictColumns(row)
            return try? (
                entry: columns.integer("entry_number"),
                record: DeliveryRecord(
                    number: columns.integer("number"), at: columns.integer("at"), result: columns.text("result"),
                    endpoint: columns.text("endpoint"), status: columns.optionalInteger("status"),
                    error: columns.optionalText("error"), milliseconds: columns.integer("milliseconds"),
                    answer: columns.optionalText("answer"), nextAt: columns.optionalInteger("next_at"))
            )
        }
        return EventProgress.attempts(records)
    }

    fileprivate func eraseDeliveries(of merchantReference: String) throws {
        let statement = try cachedStatement(
            sql: """
                DELETE FROM event_delivery
                WHERE entry IN (SELECT entry FROM history WHERE merchant_reference = ? AND event IS NOT NULL)
                """)
        try statement.execute(arguments: [merchantReference])
    }
}
