public import FoundationEssentials
public import PaymentRelay

extension PostgresJournal {
    public func leaseEvents(limit: Int, at moment: Date, until expiry: Date) async throws -> [DueEvent] {
        try await run(.leaseEvents, [.moment(moment), .moment(expiry), .integer(limit)]).rows.map { row in
            guard let recorded = row.bytes("event") else { throw PostgresError.unexpectedValue(column: "event") }
            return DueEvent(
                merchantReference: try row.text("merchant_reference"), number: try row.integer("entry"),
                attempt: try row.integer("events_attempts"), leasedUntil: JournalTime(expiry).date, recorded: recorded)
        }
    }

    public func acknowledge(_ event: DueEvent, at moment: Date) async throws {
        _ = try await run(.acknowledgeEvent, event.lease + [.moment(moment)])
    }

    public func postpone(_ event: DueEvent, until moment: Date?) async throws {
        _ = try await run(.postponeEvent, event.lease + [.moment(moment)])
    }

    public func resendEvents(of merchantReference: String, since: Date, at moment: Date) async throws -> Bool {
        try await run(.resendEvents, [.text(merchantReference), .moment(since), .moment(moment)]).count == 1
    }

    public func resendDeadLetteredEvents(limit: Int, at moment: Date) async throws -> Int {
        try await run(.resendDeadLetteredEvents, [.moment(moment), .integer(limit)]).count
    }

    public func paymentsWithEvents(since: Date, after place: PaymentCursor?, limit: Int) async throws -> [PaymentCursor]
    {
        // No reference is empty; the one before the first moment's first is.
        let values: [PostgresValue] = [
            .moment(place?.at ?? since), .text(place?.merchantReference ?? ""), .moment(since), .integer(limit),
        ]
        return try await run(.paymentsWithEvents, values).rows.compactMap(PaymentCursor.init(reading:))
    }

    public func eventSummary() async throws -> EventSummary {
        guard let row = try await run(.eventSummary, []).rows.first else { return EventSummary() }
        let oldest = row.bytes("oldest") == nil ? nil : try row.nearestMoment("oldest")
        return EventSummary(
            undelivered: try row.integer("undelivered"), oldest: oldest, deadLettered: try row.integer("dead_lettered"))
    }
}

extension DueEvent {
    /// The first parameters of the statements that need its lease.
    fileprivate var lease: [PostgresValue] {
        [.text(merchantReference), .integer(number), .integer(attempt), .moment(leasedUntil)]
    }
}

extension PaymentCursor {
    /// Nil for a row whose moment is none.
    init?(reading row: PostgresRow) {
        guard let at = try? row.moment("at"), let reference = try? row.text("merchant_reference") else { return nil }
        self.init(at: at, merchantReference: reference)
    }
}
