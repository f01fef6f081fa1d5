import PaymentRelay
import PayrelayPrimitives

/// The narrow table that payments are looked up in. It is only inserted to; erasure alone deletes from it.
extension PostgresMigrations {
    // In the order of a page within each slot, see SearchKey. The indexes over payments hold the order of a page too; that over clients
    // by the start of a name that may be long. A prefix is looked for in the order of bytes, whatever the database's is.
    static let search = """
        CREATE TABLE IF NOT EXISTS search_key (
            slot bigint NOT NULL,
            claimed_at bigint NOT NULL,
            merchant_reference text NOT NULL,
            digest bigint NOT NULL,
            PRIMARY KEY (slot, claimed_at, merchant_reference, digest)
        );
        CREATE INDEX IF NOT EXISTS payment_by_time ON payment (claimed_at, merchant_reference);
        CREATE INDEX IF NOT EXISTS payment_by_state ON payment (state, claimed_at, merchant_reference)
            WHERE state NOT IN ('processing', 'captured');
        CREATE INDEX IF NOT EXISTS payment_by_client ON payment (left(client, 200), claimed_at, merchant_reference)
            WHERE client IS NOT NULL;
        CREATE INDEX IF NOT EXISTS payment_by_reference ON payment (merchant_reference COLLATE "C");
        """
}

extension PostgresStatement {
    /// Writes the keys of the payment that the statement changes, in the same step.
    ///
    /// - Parameters:
    ///   - changed: the part of the statement that returns the payment's row.
    ///   - first: the number of the first of ``HistoryEntry/keyValues``.
    static func keys(of changed: String, first: Int) -> String {
        let rows = (0..<keysAtMost).map { "($\(first + 2 * $0)::bigint, $\(first + 2 * $0 + 1)::bigint)" }
        return """
            keyed AS (
                INSERT INTO search_key (slot, claimed_at, merchant_reference, digest)
                SELECT slot, claimed_at, merchant_reference, digest FROM \(changed),
                    (VALUES \(rows.joined(separator: ", "))) AS keys (slot, digest)
                WHERE slot IS NOT NULL ON CONFLICT DO NOTHING)
            """
    }

    /// Erases the customer's keys of the payment that the statement changes.
    ///
    /// - Parameters:
    ///   - claimedAt: when the payment was claimed whose keys they are.
    ///   - condition: of the parameters.
    static func erasedKeys(of changed: String, claimedAt: String, if condition: String) -> String {
        let slots = SearchKey.customerSlots.map(String.init).joined(separator: ", ")
        return """
            erased AS (
                DELETE FROM search_key WHERE \(condition) AND slot IN (\(slots)) AND claimed_at = \(claimedAt)
                AND merchant_reference = (SELECT merchant_reference FROM \(changed)))
            """
    }

    /// How many keys an entry has at most: the email, the card's and FORT's.
    fileprivate static let keysAtMost = 3

    fileprivate static let journaledReceipts = PostgresStatement(
        "journaled_receipts",
        "SELECT \(columns) FROM payment WHERE merchant_reference > $1 ORDER BY merchant_reference LIMIT $2")

    /// Keys as one text for each column, their values separated by a line feed.
    fileprivate static let addKeys = PostgresStatement(
        "add_keys",
        """
        INSERT INTO search_key (slot, claimed_at, merchant_reference, digest)
        SELECT slot, claimed_at, merchant_reference, digest FROM unnest(
            string_to_array($1, E'\\n')::bigint[], string_to_array($2, E'\\n')::bigint[], string_to_array($3, E'\\n'),
            string_to_array($4, E'\\n')::bigint[]) AS keys (slot, claimed_at, merchant_reference, digest)
        ON CONFLICT DO NOTHING
        """)
}

extension HistoryEntry {
    /// The values of ``PostgresStatement/keys(of:first:)``.
    var keyValues: [PostgresValue] {
        var values = searchKeys.prefix(PostgresStatement.keysAtMost).flatMap { key -> [PostgresValue] in
            [.integer(key.slot), .integer(key.digest)]
        }
        while values.count < 2 * PostgresStatement.keysAtMost { values.append(.integer(nil)) }
        return values
    }
}

extension PostgresSession {
    /// Fills the table of what earlier versions recorded. A row that cannot be read has no keys, and stops nothing.
    func fillSearchKeys(until deadline: Deadline) throws(PostgresError) {
        try prepare(.journaledReceipts, until: deadline)
        try prepare(.addKeys, until: deadline)
        var last = ""
        while true {
            let rows = try run(.journaledReceipts, [.text(last), .integer(1_000)], until: deadline).rows
            guard let end = rows.last.flatMap({ try? $0.text("merchant_reference") }), end != last else { return }
            last = end
            var columns = (slots: [String](), times: [String](), references: [String](), digests: [String]())
            for row in rows {
                // No reference of ours has a line feed.
                guard let payment = try? Payment(row: row), !payment.merchantReference.utf8.contains(0x0A) else {
                    continue
                }
                for key in SearchKey.keys(
                    ofJournaled: payment.receipt, appleTransactionIdentifier: payment.appleTransactionIdentifier)
                {
                    columns.slots.append("\(key.slot)")
                    columns.times.append("\(EpochMilliseconds(payment.claimedAt).milliseconds)")
                    columns.references.append(payment.merchantReference)
                    columns.digests.append("\(key.digest)")
                }
            }
            let texts = [columns.slots, columns.times, columns.references, columns.digests]
            if columns.slots.isEmpty { continue }
            _ = try run(.addKeys, texts.map { .text($0.joined(separator: "\n")) }, until: deadline)
        }
    }
}
