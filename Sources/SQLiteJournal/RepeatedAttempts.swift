import GRDB
import PaymentRelay

extension PaymentWriter {
    /// Counts two attempts that were not sent as one; see ``RepeatedAttempt``.
    func mergeRepeatedAttempts(of merchantReference: String) throws {
        let select = try database.cachedStatement(
            sql:
                "SELECT * FROM history WHERE merchant_reference = ? ORDER BY entry DESC LIMIT \(RepeatedAttempt.entries)"
        )
        let rows = try Row.fetchAll(select, arguments: [merchantReference]).reversed()
        guard let merged = RepeatedAttempt.merged(try rows.map(HistoryEntry.init(row:))) else { return }
        let columns = try rows.map { try StrictColumns($0).integer("entry") }
        let count = try database.cachedStatement(sql: "UPDATE history SET times = ?, since = ? WHERE entry = ?")
        for (entry, row) in zip([merged.begin, merged.end], columns.suffix(2)) {
            try count.execute(arguments: [entry.times, entry.since?.milliseconds, row])
        }
        for row in columns.prefix(2) {
            for table in ["history", "query_without_change"] {
                try database.cachedStatement(sql: "DELETE FROM \(table) WHERE entry = ?").execute(arguments: [row])
            }
        }
    }
}
