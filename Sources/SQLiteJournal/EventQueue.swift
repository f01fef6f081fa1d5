public import FoundationEssentials
import GRDB
public import PaymentRelay

extension SQLiteJournal {
    public func leaseEvents(limit: Int, at moment: Date, until expiry: Date) async throws(JournalError) -> [DueEvent] {
        try await write { try $0.leaseEvents(limit: limit, at: moment, until: expiry) }.readable(onUnreadable)
    }

    public func acknowledge(
        _ event: DueEvent, at moment: Date, after delivery: DeliveryAttempt?
    ) async throws(JournalError) {
        try await write {
            try $0.acknowledge(event, at: moment)
            try $0.keep(delivery, of: event)
        }
    }

    public func postpone(
        _ event: DueEvent, until moment: Date?, after delivery: DeliveryAttempt?
    ) async throws(JournalError) {
        try await write {
            try $0.postpone(event, until: moment)
            try $0.keep(delivery, of: event)
        }
    }

    public func resendEvents(of merchantReference: String, since: Date, at moment: Date) async throws(JournalError)
        -> Bool
    {
        try await write { try $0.resendEvents(of: merchantReference, since: since, at: moment) }
    }

    public func resendDeadLetteredEvents(limit: Int, at moment: Date) async throws(JournalError) -> Int {
        try await write { try $0.resendDeadLetteredEvents(limit: limit, at: moment) }
    }

    public func paymentsWithEvents(since: Date, after place: PaymentCursor?, limit: Int) async throws(JournalError)
        -> [PaymentCursor]
    {
        try await read { try $0.paymentsWithEvents(since: since, after: place, limit: limit) }
    }

    public func deadLetteredPayments(limit: Int) async throws(JournalError) -> [PaymentCursor] {
        try await read { try $0.deadLetteredPayments(limit: limit) }
    }

    public func eventSummary() async throws(JournalError) -> EventSummary {
        try await read { try $0.eventSummary() }
    }
}

extension Database {
    func leaseEvents(limit: Int, at moment: Date, until expiry: Date) throws -> [Result<DueEvent, UnreadableRecord>] {
        let statement = try cachedStatement(
            sql: """
                UPDATE payment SET events_due_at = :expiry, events_attempts = CASE
                    WHEN events_attempts < \(PaymentRecord.countLimit) THEN events_attempts + 1 ELSE events_attempts END
                WHERE merchant_reference IN (
                    SELECT merchant_reference FROM payment WHERE events_due_at <= :moment
                    ORDER BY events_due_at LIMIT :limit)
                RETURNING merchant_reference, events_told, events_attempts
                """)
        let arguments: StatementArguments = [
            "expiry": expiry.milliseconds, "moment": moment.milliseconds, "limit": limit,
        ]
        return try Row.fetchAll(statement, arguments: arguments).compactMap { row in
            do {
                return try dueEvent(row, leasedUntil: EpochMilliseconds(expiry).date).map { .success($0) }
            } catch let record as UnreadableRecord {
                return .failure(record)
            }
        }
    }

    /// Nil where the payment has no event that is not acknowledged.
    private func dueEvent(_ row: Row, leasedUntil expiry: Date) throws -> DueEvent? {
        let columns = StrictColumns(row)
        guard let next = try event(of: columns.reference, after: columns.integer("events_told")) else { return nil }
        return DueEvent(
            merchantReference: columns.reference, number: next.number, attempt: try columns.integer("events_attempts"),
            leasedUntil: expiry, recorded: next.recorded)
    }

    private func event(of merchantReference: String, after number: Int) throws -> (number: Int, recorded: [UInt8])? {
        let statement = try cachedStatement(
            sql: """
                SELECT number, event FROM history
                WHERE merchant_reference = ? AND number > ? AND event IS NOT NULL ORDER BY entry LIMIT 1
                """)
        guard let row = try Row.fetchOne(statement, arguments: [merchantReference, number]) else { return nil }
        let columns = StrictColumns(row)
        return (try columns.integer("number"), try columns.bytes("event"))
    }

    func acknowledge(_ event: DueEvent, at moment: Date) throws {
        let statement = try cachedStatement(
            sql: """
                UPDATE payment SET events_told = :number, events_attempts = 0,
                    events_due_at = CASE WHEN events_last > :number THEN :moment END,
                    events_waiting_since = CASE WHEN events_last > :number THEN :moment END
                WHERE \(Self.holds)
                """)
        try statement.execute(
            arguments: ["moment": moment.milliseconds] + Self.lease(of: event))
    }

    func postpone(_ event: DueEvent, until moment: Date?) throws {
        let statement = try cachedStatement(sql: "UPDATE payment SET events_due_at = :moment WHERE \(Self.holds)")
        try statement.execute(arguments: ["moment": moment?.milliseconds] + Self.lease(of: event))
    }

    /// Whether the lease is still the event's. After a resend by hand less is acknowledged, or it was leased less
    /// often.
    private static let holds = """
        merchant_reference = :reference AND events_attempts = :attempt AND events_due_at = :expiry AND events_told < :number
        """

    private static func lease(of event: DueEvent) -> StatementArguments {
        [
            "reference": event.merchantReference, "attempt": event.attempt, "expiry": event.leasedUntil.milliseconds,
            "number": event.number,
        ]
    }

    func resendEvents(of merchantReference: String, since: Date, at moment: Date) throws -> Bool {
        let find = try cachedStatement(
            sql: """
                SELECT min(number) FROM history WHERE merchant_reference = ? AND event IS NOT NULL AND at >= ?
                """)
        guard let first = try Int.fetchOne(find, arguments: [merchantReference, since.milliseconds]) else {
            return false
        }
        let statement = try cachedStatement(
            sql: """
                UPDATE payment SET events_told = min(events_told, :first - 1), \(Self.makeDue)
                WHERE merchant_reference = :reference
                """)
        try statement.execute(
            arguments: ["first": first, "moment": moment.milliseconds, "reference": merchantReference])
        return true
    }

    func resendDeadLetteredEvents(limit: Int, at moment: Date) throws -> Int {
        let statement = try cachedStatement(
            sql: """
                UPDATE payment SET \(Self.makeDue) WHERE merchant_reference IN (
                    SELECT merchant_reference FROM payment
                    WHERE events_waiting_since IS NOT NULL AND events_due_at IS NULL LIMIT :limit)
                """)
        try statement.execute(arguments: ["moment": moment.milliseconds, "limit": limit])
        return changesCount
    }

    private static let makeDue = """
        events_attempts = 0, events_due_at = :moment, events_waiting_since = coalesce(events_waiting_since, :moment)
        """

    func paymentsWithEvents(since: Date, after place: PaymentCursor?, limit: Int) throws -> [PaymentCursor] {
        let statement = try cachedStatement(
            sql: """
                SELECT at, merchant_reference FROM history AS first
                WHERE event IS NOT NULL AND (at, merchant_reference) > (:at, :reference) AND at <= \(EpochMilliseconds.last)
                AND NOT EXISTS (
                    SELECT 1 FROM history AS earlier WHERE earlier.merchant_reference = first.merchant_reference
                    AND earlier.entry < first.entry AND earlier.event IS NOT NULL AND earlier.at >= :since)
                ORDER BY at, merchant_reference LIMIT :limit
                """)
        let arguments: StatementArguments = [
            // No reference is empty; the one before the first moment's first is.
            "at": (place?.at ?? since).milliseconds, "reference": place?.merchantReference ?? "",
            "since": since.milliseconds, "limit": limit,
        ]
        return try Row.fetchAll(statement, arguments: arguments).compactMap(PaymentCursor.init(reading:))
    }

    func deadLetteredPayments(limit: Int) throws -> [PaymentCursor] {
        let statement = try cachedStatement(
            sql: """
                SELECT events_waiting_since AS at, merchant_reference FROM payment
                WHERE events_waiting_since IS NOT NULL AND events_due_at IS NULL
                ORDER BY events_waiting_since, merchant_reference LIMIT :limit
                """)
        return try Row.fetchAll(statement, arguments: ["limit": limit]).compactMap(PaymentCursor.init(reading:))
    }

    func eventSummary() throws -> EventSummary {
        let statement = try cachedStatement(
            sql: """
                SELECT count(*) AS undelivered, min(events_waiting_since) AS oldest,
                    count(*) FILTER (WHERE events_due_at IS NULL) AS dead_lettered
                FROM payment WHERE events_waiting_since IS NOT NULL
                """)
        guard let row = try Row.fetchOne(statement) else { return EventSummary() }
        let columns = StrictColumns(row)
        return EventSummary(
            undelivered: try columns.integer("undelivered"), oldest: try columns.nearestMoment("oldest"),
            deadLettered: try columns.integer("dead_lettered"))
    }
}

extension PaymentCursor {
    /// Nil for a row whose moment is none.
    init?(reading row: Row) {
        let columns = StrictColumns(row)
        guard let at = try? columns.moment("at") else { return nil }
        self.init(at: at, merchantReference: columns.reference)
    }
}
