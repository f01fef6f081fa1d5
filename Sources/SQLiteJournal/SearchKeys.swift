import FoundationEssentials
import GRDB
import PaymentRelay

/// The narrow table that payments are looked up in. It is only inserted to; erasure alone deletes from it.
extension JournalMigrations {
    static func addSearch(to database: Database) throws {
        // In the order of a page within each slot, see SearchKey. Of the indexes over payments each holds the order of a page too;
        // those over what most payments do not have hold the others alone.
        try database.execute(
            sql: """
                CREATE TABLE search_key (
                    slot INTEGER NOT NULL,
                    claimed_at INTEGER NOT NULL,
                    merchant_reference TEXT NOT NULL,
                    digest INTEGER NOT NULL,
                    PRIMARY KEY (slot, claimed_at, merchant_reference, digest)
                ) STRICT, WITHOUT ROWID;
                CREATE INDEX payment_by_time ON payment (claimed_at, merchant_reference);
                CREATE INDEX payment_by_state ON payment (state, claimed_at, merchant_reference);
                CREATE INDEX payment_by_amount ON payment (amount, claimed_at, merchant_reference);
                CREATE INDEX payment_by_currency ON payment (currency, claimed_at, merchant_reference);
                CREATE INDEX payment_by_account ON payment (account, claimed_at, merchant_reference)
                    WHERE account IS NOT NULL;
                CREATE INDEX payment_by_client ON payment (client, claimed_at, merchant_reference)
                    WHERE client IS NOT NULL;
                """)
        try fillSearchKeys(of: database)
    }

    /// Of what earlier versions recorded. A row that cannot be read has no keys, and stops nothing.
    private static func fillSearchKeys(of database: Database) throws {
        let keys = try PreparedStatement(SearchKeySQL.insert, on: database)
        let rows = try Row.fetchCursor(
            database, sql: "SELECT \(Database.paymentColumns) FROM payment")
        while let row = try rows.next() {
            guard let payment = try? Payment(row: row) else { continue }
            for key in SearchKey.keys(
                ofJournaled: payment.receipt, appleTransactionIdentifier: payment.appleTransactionIdentifier)
            {
                try keys.run { $0.bind(key, of: payment) }
            }
        }
    }
}

enum SearchKeySQL {
    static let insert = """
        INSERT INTO search_key (slot, claimed_at, merchant_reference, digest) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING
        """
}

extension StatementValues {
    /// The values of ``SearchKeySQL/insert``.
    mutating func bind(_ key: SearchKey, of payment: Payment) {
        bind(key.slot)
        bind(payment.claimedAt)
        bind(payment.merchantReference)
        bind(key.digest)
    }
}

extension PaymentWriter {
    /// Writes what the payment can be looked up by from an entry on.
    func addSearchKeys(of entry: HistoryEntry, to payment: Payment) throws {
        for key in entry.searchKeys { try searchKeyStatement.run { $0.bind(key, of: payment) } }
    }

    /// Erases those that are the customer's.
    func eraseSearchKeys(of payment: Payment) throws {
        let slots = SearchKey.customerSlots.map(String.init).joined(separator: ", ")
        let statement = try database.cachedStatement(
            sql: "DELETE FROM search_key WHERE slot IN (\(slots)) AND claimed_at = ? AND merchant_reference = ?")
        try statement.execute(arguments: [payment.claimedAt.milliseconds, payment.merchantReference])
    }
}
