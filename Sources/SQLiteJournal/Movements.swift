public import FoundationEssentials
import GRDB
public import PaymentRelay
import PayrelayPrimitives

/// The movements of money. A settlement costs one narrow row more, at the end of the one tree that the table is: its key
/// begins with the time, so that a day is a range of it, and no index has to be written.
extension PaymentSQL {
    /// The entry is the one that was inserted before it, in the same transaction.
    static let movement = """
        INSERT INTO movement (at, merchant_reference, entry, kind, account, currency, amount)
        VALUES (?, ?, last_insert_rowid(), ?, ?, ?, ?)
        """
}

extension PaymentWriter {
    /// Adds what the entry that was just added has moved.
    func add(_ movements: [Movement], of payment: Payment, at moment: Date) throws {
        for movement in movements {
            try movementStatement.run { values in
                values.bind(moment)
                values.bind(payment.merchantReference)
                values.bind(movement.kind.rawValue)
                values.bind(payment.account)
                values.bind(payment.currency)
                values.bind(movement.amount.value)
            }
        }
    }
}

extension SQLiteJournal {
    public func settlement(from start: Date, until end: Date) async throws(JournalError) -> Settlement {
        let rows = try await read { try $0.settlementRows(from: start, until: end) }
        do throws(UnreadableRecord) {
            return try Settlement(rows, observe: onUnreadable)
        } catch {
            throw .unreadable(error)
        }
    }

    public func movements(
        until end: Date, after place: MovementCursor, limit: Int
    ) async throws(JournalError) -> MovementPage {
        let (movements, next) = try await read { try $0.movements(until: end, after: place, limit: limit) }
        return MovementPage(movements: movements.readable(onUnreadable), next: next)
    }

    public func payments(
        _ merchantReferences: [String]
    ) async throws(JournalError) -> [Result<Payment, UnreadableRecord>] {
        let payments = try await read { try $0.payments(merchantReferences) }
        _ = payments.readable(onUnreadable)
        return payments
    }
}

extension Database {
    /// Migration 9.
    ///
    /// Fills the table from the history: what each entry has more than the one before. Versions without operations left
    /// the balance to the state. A payment that was made elsewhere and whose reference was claimed for another account
    /// is left out, because its account is not known any more; so is what no version wrote, since a difference of such
    /// numbers might not be an integer.
    func makeMovements() throws {
        try execute(
            sql: """
                CREATE TABLE movement (
                    at INTEGER NOT NULL,
                    merchant_reference TEXT NOT NULL,
                    entry INTEGER NOT NULL,
                    kind INTEGER NOT NULL,
                    account TEXT,
                    currency TEXT NOT NULL,
                    amount INTEGER NOT NULL,
                    PRIMARY KEY (at, merchant_reference, entry, kind)
                ) STRICT, WITHOUT ROWID;
                WITH balance AS (
                    SELECT entry, at, state, payment.merchant_reference, account, currency, amount,
                        CASE WHEN history.captured = 0 AND history.state IN ('captured', 'refunded')
                            THEN amount ELSE history.captured END AS captured,
                        CASE WHEN history.refunded = 0 AND history.state = 'refunded'
                            THEN amount ELSE history.refunded END AS refunded
                    FROM (SELECT entry, at, state, merchant_reference, captured, refunded FROM history) AS history
                    JOIN (SELECT merchant_reference, account, currency, amount FROM payment) AS payment
                        ON payment.merchant_reference = history.merchant_reference
                    WHERE history.captured BETWEEN 0 AND \(MinorUnits.limit)
                    AND history.refunded BETWEEN 0 AND \(MinorUnits.limit) AND amount BETWEEN 1 AND \(MinorUnits.limit)
                    AND entry >= coalesce((
                        SELECT max(entry) FROM history AS claim
                        WHERE claim.merchant_reference = payment.merchant_reference AND claim.state = 'processing'), 0)
                ), change AS (
                    SELECT *, captured - lag(captured, 1, 0) OVER history AS charged_now,
                        refunded - lag(refunded, 1, 0) OVER history AS refunded_now,
                        CASE WHEN state = 'voided' AND lag(state, 1, '') OVER history <> 'voided' THEN amount ELSE 0 END
                            AS voided_now
                    FROM balance WINDOW history AS (PARTITION BY merchant_reference ORDER BY entry)
                )
                INSERT INTO movement
                    SELECT at, merchant_reference, entry, 1, account, currency, charged_now FROM change WHERE charged_now > 0
                    UNION ALL
                    SELECT at, merchant_reference, entry, 2, account, currency, refunded_now FROM change WHERE refunded_now > 0
                    UNION ALL
                    SELECT at, merchant_reference, entry, 3, account, currency, voided_now FROM change WHERE voided_now > 0
                    ORDER BY 1, 2, 3, 4;
                """)
    }

    func settlementRows(from start: Date, until end: Date) throws -> [SettlementRow] {
        let isReadable = """
            (amount BETWEEN 1 AND \(MinorUnits.limit) AND kind BETWEEN 1 AND 3 AND currency GLOB '[A-Z][A-Z][A-Z]')
            """
        let statement = try cachedStatement(
            sql: """
                SELECT account, currency, kind, count(*) FILTER (WHERE \(isReadable)) AS count,
                    coalesce(sum(amount) FILTER (WHERE \(isReadable)), 0) AS amount,
                    count(*) FILTER (WHERE NOT \(isReadable)) AS unreadable,
                    min(merchant_reference) FILTER (WHERE NOT \(isReadable)) AS merchant_reference
                FROM movement WHERE at >= ? AND at < ?
                GROUP BY account, currency, kind LIMIT \(SettlementRow.limit + 1)
                """)
        return try Row.fetchAll(statement, arguments: [start.milliseconds, end.milliseconds]).map { row in
            let columns = StrictColumns(row)
            return SettlementRow(
                account: try columns.optionalText("account"), currency: try columns.text("currency"),
                kind: try columns.integer("kind"), count: try columns.integer("count"),
                amount: try columns.integer("amount"), unreadable: try columns.integer("unreadable"),
                unreadableReference: try columns.optionalText("merchant_reference"))
        }
    }

    func movements(
        until end: Date, after place: MovementCursor, limit: Int
    ) throws -> ([Result<RecordedMovement, UnreadableRecord>], next: MovementCursor?) {
        let statement = try cachedStatement(
            sql: """
                SELECT * FROM movement
                WHERE (at, merchant_reference, entry, kind) > (:at, :reference, :entry, :kind) AND at < :end
                ORDER BY at, merchant_reference, entry, kind LIMIT :limit
                """)
        let rows = try Row.fetchAll(
            statement,
            arguments: [
                "at": place.at.milliseconds, "reference": place.merchantReference, "entry": place.entry,
                "kind": place.kind, "end": end.milliseconds, "limit": limit,
            ])
        let movements = rows.map { row in
            Result { () throws(UnreadableRecord) in
                let columns = StrictColumns(row)
                return try MovementRecord(
                    at: columns.integer("at"), merchantReference: columns.reference,
                    account: columns.optionalText("account"), currency: columns.text("currency"),
                    kind: columns.integer("kind"), amount: columns.integer("amount")
                ).movement()
            }
        }
        guard rows.count == limit, let last = rows.last.map({ StrictColumns($0) }) else { return (movements, nil) }
        let next = MovementCursor(
            at: try last.moment("at"), merchantReference: last.reference, entry: try last.integer("entry"),
            kind: try last.integer("kind"))
        return (movements, next)
    }

    func payments(_ merchantReferences: [String]) throws -> [Result<Payment, UnreadableRecord>] {
        let statement = try cachedStatement(
            sql: """
                SELECT \(Self.paymentColumns) FROM payment
                WHERE merchant_reference IN (SELECT value FROM json_each(?))
                """)
        let references = JSON.array(merchantReferences.map { .string($0) }).encoded()
        return try Row.fetchAll(statement, arguments: [String(decoding: references, as: UTF8.self)]).map(Payment.read)
    }
}
