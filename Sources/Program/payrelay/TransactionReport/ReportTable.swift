import PaymentRelay
import PayrelayPrimitives
import SQLJournal
import SQLiteDriver
import Synchronization

/// The lines of a report, and the journal's movements in its period, by reference. It uses bounded memory: the
/// data is in a temporary database that SQLite deletes when it is closed or when the process ends. It contains
/// references, amounts and currencies.
///
/// Safe to send between threads: its connection is used under a lock.
final class ReportTable: @unchecked Sendable {
    private let lock = Mutex(())
    private let connection: SQLiteConnection

    init() throws {
        // An empty path creates an unnamed temporary file for this connection. Losing it with the process does
        // not matter.
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

    /// Inserts lines until there are no more.
    ///
    /// - Parameter body: calls its parameter with each line, the line's number, and whether its date is outside
    ///   the compared period.
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
            // The index is created at the end, which sorts the lines once, in runs on disk. Updating it row by row
            // would write to a different page for each row.
            try connection.run(
                script: """
                    CREATE INDEX line_by_reference
                        ON line (merchant_reference, is_outside, kind, amount, currency, number);
                    COMMIT
                    """)
        }
    }

    /// The number of payments in the report.
    var paymentCount: Int {
        get throws {
            try lock.withLock { _ in
                let rows = try connection.run("SELECT count(DISTINCT merchant_reference) AS payments FROM line", [])
                    .rows
                return try rows.first?.integer("payments") ?? 0
            }
        }
    }

    /// Returns the payments of the report, sorted by reference. A payment with lines both inside and outside the
    /// period is returned twice.
    ///
    /// - Parameter last: the last payment of the previous page; `nil` for the first page.
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
            // References are never empty.
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

    /// Stores movements that the journal recorded in the period.
    ///
    /// - Parameter isNearAnEnd: returns whether the movement may be outside the period by the gateway's clock.
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

    /// Indexes the movements. Called after all of them were stored.
    func indexMovements() throws {
        try lock.withLock { _ in
            _ = try connection.run(
                script: "CREATE INDEX movement_by_reference ON movement (merchant_reference, is_near_an_end)")
        }
    }

    /// Returns the stored sums of a payment.
    func moved(of merchantReference: String) throws -> Moved {
        try lock.withLock { _ in
            let statement = try connection.keep("SELECT \(Self.sums) FROM movement WHERE merchant_reference = $1")
            let rows = try statement.run([.text(merchantReference)]).rows
            return try rows.first.map { try Moved(row: $0) } ?? Moved()
        }
    }

    /// Returns the stored payments for which the report has no line in the period, sorted by reference. Movements
    /// near an end of the period are left out.
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
