import GRDB
import PayrelayPrimitives

/// The lines of a report by reference, in bounded memory: in a temporary database that SQLite deletes when it is closed,
/// or when the process ends. It holds references, amounts and currencies.
final class ReportTable: Sendable {
    private let queue: DatabaseQueue

    init() throws {
        var configuration = Configuration()
        configuration.prepareDatabase { database in
            // It is lost with the process anyway.
            try database.execute(sql: "PRAGMA journal_mode = OFF")
            try database.execute(sql: "PRAGMA synchronous = OFF")
            try database.execute(sql: "PRAGMA cache_size = -16384")
            try database.execute(sql: "PRAGMA temp_store = FILE")
        }
        // A name that is empty is a file of the connection's own without a name.
        queue = try DatabaseQueue(path: "", configuration: configuration)
        try queue.writeWithoutTransaction { database in
            try database.execute(
                sql: """
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
    }

    /// Takes lines until there are no more.
    ///
    /// - Parameter body: calls its parameter with each line and its number.
    func fill(_ body: ((ReportLine, Int) throws -> Void) throws -> Void) throws {
        try queue.writeWithoutTransaction { database in
            try database.execute(sql: "BEGIN")
            let insert = try database.makeStatement(sql: "INSERT INTO line VALUES (?, ?, ?, ?, ?)")
            try body { line, number in
                try insert.execute(arguments: [
                    line.merchantReference, line.kind.rawValue, line.amount.value, line.currency, number,
                ])
            }
            // Sorted once, in runs that go to the disk; a row at a time, each would go to another page.
            try database.execute(
                sql:
                    "CREATE INDEX line_by_reference ON line (merchant_reference, kind, amount, currency, number); COMMIT"
            )
        }
    }

    /// The payments of the report, in the order of their references.
    func payments(after reference: String, limit: Int) throws -> [ReportedPayment] {
        try queue.read { database in
            let statement = try database.cachedStatement(
                sql: """
                    SELECT merchant_reference, min(number) AS line, min(currency) AS currency,
                        max(currency) AS last_currency,
                        max(amount) FILTER (WHERE kind = 1) AS authorized,
                        sum(amount) FILTER (WHERE kind = 2) AS purchased,
                        sum(amount) FILTER (WHERE kind = 3) AS captured,
                        sum(amount) FILTER (WHERE kind = 4) AS refunded,
                        count(*) FILTER (WHERE kind = 5) AS voids, count(*) FILTER (WHERE kind = 6) AS failed
                    FROM line WHERE merchant_reference > ? GROUP BY merchant_reference ORDER BY merchant_reference
                    LIMIT ?
                    """)
            return try Row.fetchAll(statement, arguments: [reference, limit]).map { row in
                let currency: String = row["currency"]
                let last: String = row["last_currency"]
                return ReportedPayment(
                    merchantReference: row["merchant_reference"], line: row["line"],
                    currency: currency == last ? currency : nil, authorized: row["authorized"],
                    purchased: row["purchased"] ?? 0, captured: row["captured"] ?? 0, refunded: row["refunded"] ?? 0,
                    isVoided: row["voids"] as Int > 0, hasFailedCharge: row["failed"] as Int > 0)
            }
        }
    }

    /// Keeps those movements whose payments the report does not name.
    func keepUnknown(_ movements: [UnreportedPayment]) throws {
        try queue.writeWithoutTransaction { database in
            try database.execute(sql: "BEGIN")
            let find = try database.cachedStatement(sql: "SELECT 1 FROM line WHERE merchant_reference = ? LIMIT 1")
            let keep = try database.cachedStatement(
                sql: """
                    INSERT INTO unknown VALUES (?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET
                        charged = charged + excluded.charged, refunded = refunded + excluded.refunded,
                        voided = voided + excluded.voided
                    """)
            for movement in movements {
                guard try Int.fetchOne(find, arguments: [movement.merchantReference]) == nil else { continue }
                try keep.execute(arguments: [
                    movement.merchantReference, movement.currency, movement.charged, movement.refunded, movement.voided,
                ])
            }
            try database.execute(sql: "COMMIT")
        }
    }

    /// What was kept, in the order of the references.
    func unknown(after reference: String, limit: Int) throws -> [UnreportedPayment] {
        try queue.read { database in
            let statement = try database.cachedStatement(
                sql: "SELECT * FROM unknown WHERE merchant_reference > ? ORDER BY merchant_reference LIMIT ?")
            return try Row.fetchAll(statement, arguments: [reference, limit]).map { row in
                UnreportedPayment(
                    merchantReference: row["merchant_reference"], currency: row["currency"], charged: row["charged"],
                    refunded: row["refunded"], voided: row["voided"])
            }
        }
    }
}
