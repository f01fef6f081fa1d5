public import FoundationEssentials
public import PaymentRelay
import PayrelayPrimitives

extension SQLJournal {
    public func settlement(from start: Date, until end: Date) async throws(JournalError) -> Settlement {
        let rows = try await read(.settlement, .settlement, [.moment(start), .moment(end)])
        return try reading { () throws(UnreadableRecord) in
            let sums = try rows.map { row throws(UnreadableRecord) in try SettlementRow(row: row) }
            return try Settlement(sums, observe: onUnreadable)
        }
    }

    public func movements(
        until end: Date, after place: MovementCursor, limit: Int
    ) async throws(JournalError) -> MovementPage {
        let rows = try await read(
            .movements, .movements,
            [
                .moment(place.at), .text(place.merchantReference), .integer(place.entry), .integer(place.kind),
                .moment(end), .integer(limit),
            ])
        let movements = rows.map { row in
            Result { () throws(UnreadableRecord) in try RecordedMovement(row: row) }
        }.readable(onUnreadable)
        guard rows.count == limit, let last = rows.last else { return MovementPage(movements: movements, next: nil) }
        return try reading { () throws(UnreadableRecord) in
            let next = MovementCursor(
                at: try last.moment("at"), merchantReference: last.reference, entry: try last.integer("entry"),
                kind: try last.integer("kind"))
            return MovementPage(movements: movements, next: next)
        }
    }
}

extension RecordedMovement {
    init(row: Row) throws(UnreadableRecord) {
        guard let at = EpochMilliseconds(milliseconds: try row.integer("at"))?.date,
            let kind = Movement.Kind(rawValue: try row.integer("kind")),
            let amount = MinorUnits(try row.integer("amount")), amount > .zero,
            case let currency = try row.text("currency"), currency.isCurrencyCode
        else { throw row.unreadable("movement") }
        self.init(
            at: at, merchantReference: row.reference, account: try row.optionalText("account"), currency: currency,
            movement: Movement(kind, amount))
    }
}

extension SettlementRow {
    fileprivate init(row: Row) throws(UnreadableRecord) {
        let currency = try row.text("currency")
        self.init(
            account: try row.optionalText("account"), currency: currency, kind: try row.integer("kind"),
            count: try row.integer("count"), amount: try row.integer("amount"),
            unreadable: try row.integer("unreadable"),
            unreadableReference: try row.optionalText("merchant_reference"))
        // If the currency or the kind is unreadable, all records of the group are.
        guard !currency.isCurrencyCode || Movement.Kind(rawValue: kind) == nil else { return }
        unreadable += count
        unreadableReference = try row.optionalText("any_reference")
        count = 0
    }
}

extension Statement {
    fileprivate static let settlement: Statement = {
        let isReadable = "amount BETWEEN 1 AND \(MinorUnits.limit)"
        return Statement(
            "settlement", isRepeatable: true,
            """
            SELECT account, currency, kind, count(*) FILTER (WHERE \(isReadable)) AS count,
                CAST(coalesce(sum(amount) FILTER (WHERE \(isReadable)), 0) AS bigint) AS amount,
                count(*) FILTER (WHERE NOT (\(isReadable))) AS unreadable,
                min(merchant_reference) FILTER (WHERE NOT (\(isReadable))) AS merchant_reference,
                min(merchant_reference) AS any_reference
            FROM movement WHERE at >= $1 AND at < $2
            GROUP BY account, currency, kind LIMIT \(SettlementRow.limit + 1)
            """)
    }()

    fileprivate static let movements = Statement(
        "movements", isRepeatable: true,
        """
        SELECT * FROM movement WHERE (at, merchant_reference, entry, kind) > ($1, $2, $3, $4) AND at < $5
        ORDER BY at, merchant_reference, entry, kind LIMIT $6
        """)
}
