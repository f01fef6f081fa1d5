import FoundationEssentials
import GRDB
import PaymentRelay
import PayrelayPrimitives

/// The narrow table that payments are looked up in. It is only inserted to; erasure alone deletes from it.
///
/// A payment's keys lie apart from each other in it, so that each would cost a page of its own in each commit. An entry of the history
/// has its keys beside it instead, at the end of a table that is written anyway, and every thousand entries the writer moves what
/// is new to the narrow table, in its order. A search reads both.
extension JournalMigrations {
    static func addSearch(to database: Database) throws {
        // In the order of a page within each slot, see SearchKey. The indexes over payments hold the order of a page too; the first two
        // also what a claim sets and nothing changes, so that a filter of it needs no payment's row.
        try database.execute(
            sql: """
                CREATE TABLE search_key (
                    slot INTEGER NOT NULL,
                    claimed_at INTEGER NOT NULL,
                    merchant_reference TEXT NOT NULL,
                    digest INTEGER NOT NULL,
                    PRIMARY KEY (slot, claimed_at, merchant_reference, digest)
                ) STRICT, WITHOUT ROWID;
                ALTER TABLE history ADD COLUMN search_keys BLOB;
                CREATE TABLE search_position (id INTEGER PRIMARY KEY CHECK (id = 1), entry INTEGER NOT NULL) STRICT;
                INSERT INTO search_position SELECT 1, coalesce(max(entry), 0) FROM history;
                CREATE INDEX payment_by_time
                    ON payment (claimed_at, merchant_reference, amount, currency, account, command);
                CREATE INDEX payment_by_client
                    ON payment (client, claimed_at, merchant_reference, amount, currency, account, command)
                    WHERE client IS NOT NULL;
                CREATE INDEX payment_by_state ON payment (state, claimed_at, merchant_reference)
                    WHERE state NOT IN ('processing', 'captured');
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
                try keys.run { $0.bind(key, payment.claimedAt, payment.merchantReference) }
            }
        }
    }
}

enum SearchKeySQL {
    static let insert = """
        INSERT INTO search_key (slot, claimed_at, merchant_reference, digest) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING
        """

    /// What the narrow table does not have yet.
    private static let isNew = "entry > (SELECT entry FROM search_position)"

    /// The columns `claimed_at` and `merchant_reference` of the payments that have a key.
    ///
    /// - Parameter range: a condition on these columns.
    static func places(_ key: SearchKey, in range: String) -> String {
        """
        SELECT claimed_at, merchant_reference FROM search_key
            WHERE slot = \(key.slot) AND \(range) AND digest = \(key.digest)
        UNION SELECT claimed_at, merchant_reference FROM payment WHERE \(range) AND merchant_reference IN (
            SELECT merchant_reference FROM history WHERE \(isNew) AND \(isBeside(key)))
        """
    }

    /// That the row `payment` has a key.
    static func isOfPayment(_ key: SearchKey) -> String {
        """
        (EXISTS (SELECT 1 FROM search_key WHERE slot = \(key.slot) AND digest = \(key.digest)
            AND search_key.claimed_at = payment.claimed_at
            AND search_key.merchant_reference = payment.merchant_reference)
        OR EXISTS (SELECT 1 FROM history WHERE history.merchant_reference = payment.merchant_reference
            AND \(isNew) AND \(isBeside(key))))
        """
    }

    private static func isBeside(_ key: SearchKey) -> String {
        "instr(search_keys, x'\(HexText(encoding: SearchKey.encoded([key])).text)') > 0"
    }

    /// An entry has four keys at most; what else a row holds is not read.
    static let boundedKeys = "substr(search_keys, 1, \(16 * SearchKey.byteCount))"

    /// What the narrow table does not have yet, with the entries' payments, the oldest first.
    static let newEntries = """
        SELECT entry, \(boundedKeys) AS search_keys, payment.claimed_at, merchant_reference
        FROM history LEFT JOIN payment USING (merchant_reference) WHERE \(isNew) ORDER BY entry LIMIT ?
        """
}

extension StatementValues {
    /// The values of ``SearchKeySQL/insert``.
    mutating func bind(_ key: SearchKey, _ claimedAt: Date, _ merchantReference: String) {
        bind(key.slot)
        bind(claimedAt)
        bind(merchantReference)
        bind(key.digest)
    }
}

extension PaymentWriter {
    /// How many entries with keys are written before they are moved: as many as fill a page of each slot a little.
    private static let movedTogether = 1_024

    /// Moves keys from the history to the narrow table, where enough are new, in a transaction of its own.
    var hasManyNewSearchKeys: Bool { entriesWithNewKeys >= Self.movedTogether }

    /// Moves the keys of the oldest new entries; more than were counted, so that what another process wrote is caught up with.
    func moveSearchKeys() throws {
        entriesWithNewKeys = 0
        var found: [(key: SearchKey, at: Date, merchantReference: String)] = []
        var last: Int?
        try newEntriesStatement.forEachRow({ $0.bind(2 * Self.movedTogether) }) { row in
            last = row.integer(at: 0)
            // What cannot be read, or bound again, has no keys, and stops nothing.
            guard let keys = row.bytes(at: 1),
                let at = row.integer(at: 2).flatMap({ EpochMilliseconds(milliseconds: $0) })?.date,
                let reference = row.text(at: 3), !reference.utf8.contains(0)
            else { return }
            for key in SearchKey.read(keys) { found.append((key, at, reference)) }
        }
        guard let last else { return }
        // In the table's order, its pages are changed one after another.
        for (key, at, reference) in found.sorted(by: { ($0.key.slot, $0.at) < ($1.key.slot, $1.at) }) {
            try searchKeyStatement.run { $0.bind(key, at, reference) }
        }
        try database.cachedStatement(sql: "UPDATE search_position SET entry = ?")
            .execute(arguments: [last])
    }

    /// Erases those that are the customer's.
    func eraseSearchKeys(of payment: Payment) throws {
        let slots = SearchKey.customerSlots.map(String.init).joined(separator: ", ")
        try database.cachedStatement(
            sql: "DELETE FROM search_key WHERE slot IN (\(slots)) AND claimed_at = ? AND merchant_reference = ?"
        ).execute(arguments: [payment.claimedAt.milliseconds, payment.merchantReference])
        let rows = try Row.fetchAll(
            database,
            sql: """
                SELECT entry, \(SearchKeySQL.boundedKeys) AS search_keys FROM history
                WHERE merchant_reference = ? AND search_keys IS NOT NULL
                """,
            arguments: [payment.merchantReference])
        for row in rows {
            let columns = StrictColumns(row)
            let kept = SearchKey.read(try columns.bytes("search_keys")).filter { !$0.isCustomers }
            try database.cachedStatement(sql: "UPDATE history SET search_keys = ? WHERE entry = ?")
                .execute(arguments: [Data(SearchKey.encoded(kept)), try columns.integer("entry")])
        }
    }

    /// Erases the keys of a payment's earlier claims, which the narrow table would have under the time of the last.
    func eraseNewSearchKeys(of merchantReference: String) throws {
        try database.cachedStatement(sql: "UPDATE history SET search_keys = NULL WHERE merchant_reference = ?")
            .execute(arguments: [merchantReference])
    }
}
