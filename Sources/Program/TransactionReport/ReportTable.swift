import PayrelayPrimitives
import SQLJournal
import SQLiteDriver
import Synchronization

/// The lines of a report by reference, in bounded memory: in a temporary database that SQLite deletes when it is closed,
/// or when the process ends. It holds references, amounts and currencies.
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
                    number INTEGER NOT NULL
                ) STRICT;
                CREATE TABLE unknown (
                    merchant_reference TEXT PRIMARY KEY NOT NULL,
                    currency TEXT NOT NULL,
                    charged INTEGER NOT NULL,
                    refunded INTEGER NOT NULL,
                    voided INTEGER NOT NULL
                ) STRICT, WITHOUT ROWID;
                """)
    }

    /// Takes lines until there are no more.
    ///
    /// - Parameter body: calls its parameter with each line and its number.
    func fill(_ body: ((ReportLine, Int) throws -> Void) throws -> Void) throws {
        try lock.withLock { _ in
            try connection.run(script: "BEGIN")
            let insert = try connection.prepare("INSERT INTO line VALUES ($1, $2, $3, $4, $5)")
            try body { line, number in
                _ = try insert.run([
                    .text(line.merchantReference), .integer(line.kind.rawValue), .integer(line.amount.value),
                    .text(line.currency), .integer(number),
                ])
            }
            // Sorted once, in runs that go to the disk; a row at a time, each would go to another page.
            try connection.run(
                script:
                    "CREATE INDEX line_by_reference ON line (merchant_reference, kind, amount, currency, number); COMMIT"
            )
        }
    }

    /// The payments of the report, in the order of their references.
    func payments(after reference: String, limit: Int) throws -> [ReportedPayment] {
        try lock.withLock { _ in
            let statement = try connection.keep(
                """
                SELECT merchant_reference, min(number) AS line, min(currency) AS currency,
                    max(currency) AS last_currency,
                    max(amount) FILTER (WHERE kind = 1) AS authorized,
                    sum(amount) FILTER (WHERE kind = 2) AS purchased,
                    sum(amount) FILTER (WHERE kind = 3) AS captured,
                    sum(amount) FILTER (WHERE kind = 4) AS refunded,
                    count(*) FILTER (WHERE kind = 5) AS voids, count(*) FILTER (WHERE kind = 6) AS failed
                FROM line WHERE merchant_reference > $1 GROUP BY merchant_reference ORDER BY merchant_reference
                LIMIT $2
                """)
            return try statement.run([.text(reference), .integer(limit)]).rows.map { row in
                let currency = try row.text("currency")
                return ReportedPayment(
                    merchantReference: row.reference, line: try row.integer("line"),
                    currency: currency == (try row.text("last_currency")) ? currency : nil,
                    authorized: try row.optionalInteger("authorized"),
                    purchased: try row.optionalInteger("purchased") ?? 0,
                    captured: try row.optionalInteger("captured") ?? 0,
                    refunded: try row.optionalInteger("refunded") ?? 0,
                    isVoided: try row.integer("voids") > 0, hasFailedCharge: try row.integer("failed") > 0)
            }
        }
    }

    /// Keeps those movements whose payments the report does not name.
    func keepUnknown(_ movements: [UnreportedPayment]) throws {
        try lock.withLock { _ in
            try connection.run(script: "BEGIN")
            let find = try connection.keep("SELECT 1 FROM line WHERE merchant_reference = $1 LIMIT 1")
            let keep = try connection.keep(
                """
                INSERT INTO unknown VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO UPDATE SET
                    charged = charged + excluded.charged, refunded = refunded + excluded.refunded,
                    voided = voided + excluded.voided
                """)
            for movement in movements {
                guard try find.run([.text(movement.merchantReference)]).rows.isEmpty else { continue }
                _ = try keep.run([
                    .text(movement.merchantReference), .text(movement.currency), .integer(movement.charged),
                    .integer(movement.refunded), .integer(movement.voided),
                ])
            }
            try connection.run(script: "COMMIT")
        }
    }

    /// Returns the kept payments that the report does not name, sorted by reference.
    func unknown(after reference: String, limit: Int) throws -> [UnreportedPayment] {
        try lock.withLock { _ in
            let statement = try connection.keep(
                "SELECT * FROM unknown WHERE merchant_reference > $1 ORDER BY merchant_reference LIMIT $2")
            return try statement.run([.text(reference), .integer(limit)]).rows.map { row in
                UnreportedPayment(
                    merchantReference: row.reference, currency: try row.text("currency"),
                    charged: try row.integer("charged"), refunded: try row.integer("refunded"),
                    voided: try row.integer("voided"))
            }
        }
    }
}
