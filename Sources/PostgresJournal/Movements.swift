public import FoundationEssentials
public import PaymentRelay
import PayrelayPrimitives

/// The movements of money. They are written by the statement that writes the change, so that both are there or neither.
extension PostgresStatement {
    /// The part of a statement that adds what a change moves.
    ///
    /// - Parameters:
    ///   - change: the part that returns `merchant_reference`, `entries`, `account` and `currency` of the change.
    ///   - charged: the parameter with the amount, 0 for none; `refunded` and `voided` likewise.
    static func moved(
        in change: String, at moment: String, charged: String, refunded: String, voided: String
    ) -> String {
        """
        moved AS (
            INSERT INTO movement (at, merchant_reference, entry, kind, account, currency, amount)
            SELECT \(moment)::bigint, merchant_reference, entries, kind, account, currency, moved_amount
            FROM \(change) CROSS JOIN (VALUES (\(Movement.Kind.charged.rawValue)::bigint, \(charged)::bigint),
                (\(Movement.Kind.refunded.rawValue)::bigint, \(refunded)::bigint),
                (\(Movement.Kind.voided.rawValue)::bigint, \(voided)::bigint)) AS movement_of_change (kind, moved_amount)
            WHERE moved_amount > 0)
        """
    }

    private static let isReadable = """
        (amount BETWEEN 1 AND \(MinorUnits.limit) AND kind BETWEEN 1 AND 3 AND currency ~ '^[A-Z][A-Z][A-Z]$')
        """

    static let settlement = PostgresStatement(
        "settlement", isRepeatable: true,
        """
        SELECT account, currency, kind, count(*) FILTER (WHERE \(isReadable)) AS count,
            coalesce(sum(amount) FILTER (WHERE \(isReadable)), 0)::bigint AS amount,
            count(*) FILTER (WHERE NOT \(isReadable)) AS unreadable,
            min(merchant_reference) FILTER (WHERE NOT \(isReadable)) AS merchant_reference
        FROM movement WHERE at >= $1 AND at < $2
        GROUP BY account, currency, kind LIMIT \(SettlementRow.limit + 1)
        """)

    static let movements = PostgresStatement(
        "movements", isRepeatable: true,
        """
        SELECT at, merchant_reference, entry, kind, account, currency, amount FROM movement
        WHERE (at, merchant_reference, entry, kind) > ($1, $2, $3, $4) AND at < $5
        ORDER BY at, merchant_reference, entry, kind LIMIT $6
        """)

    static let payments = PostgresStatement(
        "payments", isRepeatable: true,
        """
        SELECT \(columns) FROM payment
        WHERE merchant_reference IN (SELECT jsonb_array_elements_text($1::text::jsonb))
        """)
}

extension [Movement] {
    /// The amounts that were charged, refunded and voided, 0 for none.
    var values: [PostgresValue] {
        Movement.Kind.allCases.map { kind in .integer(first { $0.kind == kind }?.amount.value ?? 0) }
    }
}

extension PostgresJournal {
    public func settlement(from start: Date, until end: Date) async throws(JournalError) -> Settlement {
        try await read(.settlement, [.moment(start), .moment(end)]) { [onUnreadable] answer throws(UnreadableRecord) in
            let rows = try answer.rows.map { row throws(UnreadableRecord) in
                SettlementRow(
                    account: try row.optionalText("account"), currency: try row.text("currency"),
                    kind: try row.integer("kind"), count: try row.integer("count"), amount: try row.integer("amount"),
                    unreadable: try row.integer("unreadable"),
                    unreadableReference: try row.optionalText("merchant_reference"))
            }
            return try Settlement(rows, observe: onUnreadable)
        }
    }

    public func movements(
        until end: Date, after place: MovementCursor, limit: Int
    ) async throws(JournalError) -> MovementPage {
        let values: [PostgresValue] = [
            .moment(place.at), .text(place.merchantReference), .integer(place.entry), .integer(place.kind),
            .moment(end), .integer(limit),
        ]
        return try await read(.movements, values) { [onUnreadable] answer throws(UnreadableRecord) in
            let movements = answer.rows.map { row in
                Result { () throws(UnreadableRecord) in
                    try MovementRecord(
                        at: row.integer("at"), merchantReference: row.text("merchant_reference"),
                        account: row.optionalText("account"), currency: row.text("currency"),
                        kind: row.integer("kind"), amount: row.integer("amount")
                    ).movement()
                }
            }
            return MovementPage(
                movements: movements.readable(onUnreadable),
                next: answer.rows.count < limit ? nil : try answer.rows.last?.movementCursor)
        }
    }

    public func payments(
        _ merchantReferences: [String]
    ) async throws(JournalError) -> [Result<Payment, UnreadableRecord>] {
        let references = JSON.array(merchantReferences.map { .string($0) }).encoded()
        let payments = try await run(.payments, [.text(String(decoding: references, as: UTF8.self))]).rows
            .map(Payment.read)
        _ = payments.readable(onUnreadable)
        return payments
    }
}

extension PostgresRow {
    fileprivate var movementCursor: MovementCursor? {
        get throws(UnreadableRecord) {
            let reference = try text("merchant_reference")
            guard let at = EpochMilliseconds(milliseconds: try integer("at"))?.date else {
                throw UnreadableRecord(merchantReference: reference, column: "movement")
            }
            return MovementCursor(
                at: at, merchantReference: reference, entry: try integer("entry"), kind: try integer("kind"))
        }
    }
}

extension PostgresMigrations {
    // Filled from the history: what each entry has more than the one before. Versions without operations left the
    // balance to the state. A payment that was made elsewhere and whose reference was claimed for another account is
    // left out, because its account is not known any more; so is what no version wrote, since a difference of such
    // numbers might be out of range. An instance of an earlier version that still runs adds nothing here.
    static let movements = """
        CREATE TABLE IF NOT EXISTS movement (
            at bigint NOT NULL,
            merchant_reference text NOT NULL,
            entry bigint NOT NULL,
            kind bigint NOT NULL,
            account text,
            currency text NOT NULL,
            amount bigint NOT NULL,
            PRIMARY KEY (at, merchant_reference, entry, kind)
        );
        WITH claim AS (
            SELECT merchant_reference, max(entry) AS entry FROM history WHERE state = 'processing'
            GROUP BY merchant_reference
        ), balance AS (
            SELECT history.entry, history.at, history.state, payment.merchant_reference, account, currency, amount,
                CASE WHEN history.captured = 0 AND history.state IN ('captured', 'refunded')
                    THEN amount ELSE history.captured END AS captured,
                CASE WHEN history.refunded = 0 AND history.state = 'refunded'
                    THEN amount ELSE history.refunded END AS refunded
            FROM history JOIN payment ON payment.merchant_reference = history.merchant_reference
            LEFT JOIN claim ON claim.merchant_reference = history.merchant_reference
            WHERE history.captured BETWEEN 0 AND \(MinorUnits.limit)
            AND history.refunded BETWEEN 0 AND \(MinorUnits.limit) AND amount BETWEEN 1 AND \(MinorUnits.limit)
            AND history.entry >= coalesce(claim.entry, 0)
        ), change AS (
            SELECT at, merchant_reference, entry, account, currency,
                captured - lag(captured, 1, 0::bigint) OVER history AS charged_now,
                refunded - lag(refunded, 1, 0::bigint) OVER history AS refunded_now,
                CASE WHEN state = 'voided' AND lag(state, 1, '') OVER history <> 'voided' THEN amount ELSE 0 END
                    AS voided_now
            FROM balance WINDOW history AS (PARTITION BY merchant_reference ORDER BY entry)
        )
        INSERT INTO movement (at, merchant_reference, entry, kind, account, currency, amount)
        SELECT at, merchant_reference, entry, kind, account, currency, moved_amount
        FROM change CROSS JOIN LATERAL (VALUES (1::bigint, charged_now), (2::bigint, refunded_now), (3::bigint, voided_now))
            AS movement_of_change (kind, moved_amount)
        WHERE moved_amount > 0 ORDER BY at
        ON CONFLICT DO NOTHING;
        """
}
