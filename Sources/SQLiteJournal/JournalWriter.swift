import GRDB

/// The connection that writes, with what is prepared on it. It is used on the connection's queue only.
final class JournalWriter {
    let database: Database
    private var prepared: PaymentWriter?

    init(_ database: Database) {
        self.database = database
    }

    /// Made when it is first needed.
    var payments: PaymentWriter {
        get throws {
            if let prepared { return prepared }
            let made = try PaymentWriter(database)
            prepared = made
            return made
        }
    }

    /// Has the keys of what was written found sooner. Where that fails they are found all the same, and moved later.
    func moveSearchKeys() {
        guard let prepared, prepared.hasManyNewSearchKeys else { return }
        try? transaction { try prepared.moveSearchKeys() }
    }

    /// Commits what `body` writes; undoes it where that, or the commit, throws.
    func transaction<Value>(_ body: () throws -> Value) throws -> Value {
        try database.cachedStatement(sql: "BEGIN IMMEDIATE").execute()
        do {
            let value = try body()
            try database.cachedStatement(sql: "COMMIT").execute()
            return value
        } catch {
            // Some errors end the transaction, and this fails. GRDB learns of it by this statement: what is prepared here
            // is run without it.
            _ = try? database.execute(sql: "ROLLBACK")
            throw error
        }
    }
}
