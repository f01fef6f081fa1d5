public import FoundationEssentials
public import PaymentRelay

extension SQLJournal {
    public func eventProgress(of merchantReference: String) async throws(JournalError) -> EventProgress? {
        let deliveries = try await read(.eventProgress, .deliveries, [.text(merchantReference)])
        let row = try await read(.eventProgress, .eventProgress, [.text(merchantReference)]).first
        return try reading { () throws(UnreadableRecord) in
            guard let row else { return nil }
            let dueAt = try row.nearestMoment("events_due_at")
            return EventProgress(
                acknowledged: try row.integer("events_acknowledged"), dueAt: dueAt,
                isDeadLettered: try row.optionalInteger("events_waiting_since") != nil && dueAt == nil,
                attempts: EventProgress.attempts(deliveries))
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

    public func redactEvents(
        of merchantReference: String, to events: [Int: [UInt8]], notesUpTo entry: Int
    ) async throws(JournalError) {
        for (number, event) in events.sorted(by: { $0.key < $1.key }) {
            _ = try await write(
                .redactEvent, .redactEvent, [.text(merchantReference), .integer(number), .bytes(event)])
        }
        _ = try await write(.redactEvent, .eraseAnswersAndNotes, [.text(merchantReference), .integer(entry)])
    }
}

extension EventProgress {
    /// Those that can be read, by the number of their entry.
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
}

extension Statement {
    fileprivate static let eventProgress = Statement(
        "event_progress", isRepeatable: true,
        """
        SELECT merchant_reference, events_acknowledged, events_due_at, events_waiting_since FROM payment
        WHERE merchant_reference = $1
        """)

    /// Reads at most as many attempts of each event as are kept.
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

    fileprivate static let resendEvents = Statement(
        "resend_events", isRepeatable: true,
        """
        UPDATE payment SET events_attempts = 0, events_due_at = $3,
            events_waiting_since = coalesce(events_waiting_since, $3),
            events_acknowledged = CASE WHEN events_acknowledged < \(firstEvent) THEN events_acknowledged
                ELSE \(firstEvent) - 1 END
        WHERE merchant_reference = $1 AND \(firstEvent) IS NOT NULL
        """)

    private static let firstEvent =
        "(SELECT min(number) FROM history WHERE merchant_reference = $1 AND event IS NOT NULL AND at >= $2)"

    /// The second time the events are due at that very moment and were not leased yet. That counts as done, too.
    fileprivate static let resendWaiting = Statement(
        "resend_waiting", isRepeatable: true,
        """
        UPDATE payment SET events_attempts = 0, events_due_at = $2
        WHERE merchant_reference = $1 AND events_waiting_since IS NOT NULL
            AND (events_due_at IS NULL OR events_due_at = $2 AND events_attempts = 0)
        """)

    fileprivate static let redactEvent = Statement(
        "redact_event", isRepeatable: true,
        "UPDATE history SET event = $3 WHERE merchant_reference = $1 AND number = $2 AND event IS NOT NULL")

    fileprivate static let eraseAnswersAndNotes = Statement(
        "erase_answers_and_notes", isRepeatable: true, isGuarded: false,
        "UPDATE event_delivery SET answer = NULL WHERE merchant_reference = $1 AND answer IS NOT NULL",
        ["UPDATE history SET note = NULL WHERE merchant_reference = $1 AND note IS NOT NULL AND number <= $2"])
}
