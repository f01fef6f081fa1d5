import PaymentRelay
import PayrelayPrimitives
import SQLJournal
import SQLiteDriver
import Synchronization

/// The lines of a report and the journal's movements in its period, by reference, in bounded memory: in a temporary database that SQLite
/// deletes when it is closed, or when the process ends. It holds references, amounts and currencies.
///
/// Safe to be sent: its connection is used under a lock.
final class ReportTable: @unchecked Sendable {
    private let lock = Mutex(())
    private let connection: SQLiteConnection

    init() throws {
        // A name that is empty is a file of the connection's own without a name. It is lost with the process anyway.
        connection = try SQLiteConnection(path: "")
        try connection.run(
            script: """
                PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -16384; PRAGMA temp_store = FILE;
                CREATE TABLE line (
                    merchant_reference TEXT NOT NULL,
                    kind INTEGER NOT NULL,
                    amount INTEGER NOT NULL,
                    currency TEXT NOT NULL,
                    number INTEGER NOT NULL,
                    is_outside INTEGER NOT NULL
                ) STRICT;
                CREATE TABLE movement (
                    merchant_reference TEXT NOT NULL,
                    currency TEXT NOT NULL,
                    kind INTEGER NOT NULL,
                    amount INTEGER NOT NULL,
                    is_near_an_end INTEGER NOT NULL
                ) STRICT;
                """)
    }

    /// Takes lines until there are no more.
    ///
    /// - Parameter body: calls its parameter with each line, the line's number, and whether its date is outside the compared period.
    func fill(_ body: ((ReportLine, Int, Bool) throws -> Void) throws -> Void) throws {
        try lock.withLock { _ in
            try connection.run(script: "BEGIN")
            let insert = try connection.prepare("INSERT INTO line VALUES ($1, $2, $3, $4, $5, $6)")
            try body { line, number, isOutside in
                _ = try insert.run([
                    .text(line.merchantReference), .integer(line.kind.rawValue), .integer(line.amount.value),
                    .text(line.currency), .integer(number), .integer(isOutside ? 1 : 0),
                ])
            }
            // Sorted once, in runs that go to the disk; a row at a time, each would go to another page.
            try connection.run(
                script: """
                    CREATE INDEX line_by_reference
                        ON line (merchant_reference, is_outside, kind, amount, currency, number);
                    COMMIT
                    """)
        }
    }

    /// How many payments the report names.
    var paymentCount: Int {
        get throws {
            try lock.withLock { _ in
                let rows = try connection.run("SELECT count(DISTINCT merchant_reference) AS payments FROM line", [])
                    .rows
                return try rows.first?.integer("payments") ?? 0
            }
        }
    }

    /// Returns the payments of the report in the order of their references; twice for a payment with lines inside and outside the period.
    ///
    /// - Parameter last: the last payment of the page before; `nil` for the first page.
    func payments(after last: ReportedPayment?, limit: Int) throws -> [ReportedPayment] {
        try lock.withLock { _ in
            let statement = try connection.keep(
                """
                SELECT merchant_reference, is_outside, min(number) AS line, min(currency) AS currency,
                    max(currency) AS last_currency,
                    max(amount) FILTER (WHERE kind = 1) AS authorized,
                    sum(amount) FILTER (WHERE kind = 2) AS purchased,
                    sum(amount) FILTER (WHERE kind = 3) AS captured,
                    sum(amount) FILTER (WHERE kind = 4) AS refunded,
                    count(*) FILTER (WHERE kind = 5) AS voids, count(*) FILTER (WHERE kind = 6) AS failed,
                    count(*) FILTER (WHERE kind = 8) AS unpaid
                FROM line WHERE (merchant_reference, is_outside) > ($1, $2)
                GROUP BY merchant_reference, is_outside ORDER BY merchant_reference, is_outside
                LIMIT $3
                """)
            // No reference is empty.
            let rows = try statement.run([
                .text(last?.merchantReference ?? ""), .integer(last?.isOutside == true ? 1 : 0), .integer(limit),
            ]).rows
            return try rows.map { row in
                let currency = try row.text("currency")
                return ReportedPayment(
                    merchantReference: row.reference, line: try row.integer("line"),
                    currency: currency == (try row.text("last_currency")) ? currency : nil,
                    authorized: try row.optionalInteger("authorized"),
                    purchased: try row.optionalInteger("purchased") ?? 0,
                    captured: try row.optionalInteger("captured") ?? 0,
                    refunded: try row.optionalInteger("refunded") ?? 0,
                    isVoided: try row.integer("voids") > 0, hasFailedCharge: try row.integer("failed") > 0,
                    isUnpaid: try row.integer("unpaid") > 0, isOutside: try row.integer("is_outside") > 0)
            }
        }
    }

    /// Keeps movements that the journal recorded in the period.
    ///
    /// - Parameter isNearAnEnd: whether the gateway's clock may put the movement outside the period.
    func keep(_ movements: [RecordedMovement], isNearAnEnd: (RecordedMovement) -> Bool) throws {
        try lock.withLock { _ in
            try connection.run(script: "BEGIN")
            let insert = try connection.keep("INSERT INTO movement VALUES ($1, $2, $3, $4, $5)")
            for row in movements {
                _ = try insert.run([
                    .text(row.merchantReference), .text(row.currency), .integer(row.movement.kind.rawValue),
                    .integer(row.movement.amount.value), .integer(isNearAnEnd(row) ? 1 : 0),
                ])
            }
            try connection.run(script: "COMMIT")
        }
    }

    /// Ends the keeping of movements.
    func indexMovements() throws {
        try lock.withLock { _ in
            _ = try connection.run(
                script: "CREATE INDEX movement_by_reference ON movement (merchant_reference, is_near_an_end)")
        }
    }

    /// Returns what was kept of a payment.
    func moved(of merchantReference: String) throws -> Moved {
        try lock.withLock { _ in
            let statement = try connection.keep("SELECT \(Self.sums) FROM movement WHERE merchant_reference = $1")
            let rows = try statement.run([.text(merchantReference)]).rows
            return try rows.first.map { try Moved(row: $0) } ?? Moved()
        }
    }

    /// Returns the kept payments for which the report has no line in the period, sorted by reference, without movements near an end.
    func unknown(after reference: String, limit: Int) throws -> [UnreportedPayment] {
        try lock.withLock { _ in
            let statement = try connection.keep(
                """
                SELECT merchant_reference, min(currency) AS currency, \(Self.sums)
                FROM movement WHERE merchant_reference > $1 AND is_near_an_end = 0 AND NOT EXISTS (
                    SELECT 1 FROM line
                    WHERE line.merchant_reference = movement.merchant_reference AND line.is_outside = 0)
                GROUP BY merchant_reference ORDER BY merchant_reference LIMIT $2
                """)
            return try statement.run([.text(reference), .integer(limit)]).rows.map { row in
                UnreportedPayment(
                    merchantReference: row.reference, currency: try row.text("currency"), moved: try Moved(row: row))
            }
        }
    }

    private static let sums = Movement.Kind.allCases.map { kind in
        "coalesce(sum(amount) FILTER (WHERE kind = \(kind.rawValue)), 0) AS \(kind)"
    }.joined(separator: ", ")
}

extension Moved {
    fileprivate init(row: Row) throws {
        self.init(
            charged: try row.integer("charged"), refunded: try row.integer("refunded"),
            voided: try row.integer("voided"))
    }
}
