import PaymentRelay

/// The archive's file for one month: a journal of its own, with whole payments.
struct ArchiveFile {
    private let session: any TableSession

    /// - Parameter session: a session on a SQLite file to which no other process writes. Missing tables are
    ///   created, and older tables are migrated.
    init(_ session: any TableSession) throws {
        self.session = session
        try Schema.migrate(session, in: session.dialect)
    }

    /// Writes payments in one transaction, and then reads them back. Rows of an earlier, interrupted run are
    /// replaced.
    ///
    /// - Throws: ``JournalCopyError/different(table:key:how:)`` if the file has other values afterwards, and the
    ///   database's own errors.
    func add(_ payments: [ArchivedRows]) throws {
        var written: [(table: JournalTable, values: [Value])] = []
        _ = try session.run(script: "BEGIN IMMEDIATE")
        do {
            for payment in payments {
                for (table, values) in try completed(payment) {
                    for row in values {
                        let places = (1...row.count).map { "$\($0)" }.joined(separator: ", ")
                        _ = try session.answer(
                            to: "INSERT OR REPLACE INTO \(table.name) (\(table.columnList)) VALUES (\(places))", row)
                        written.append((table, row))
                    }
                }
            }
            FailPoint.archiving.reach()
            _ = try session.run(script: "COMMIT")
        } catch {
            _ = try? session.run(script: "ROLLBACK")
            throw error
        }
        for (table, values) in written { try compare(table, values) }
    }

    /// Returns the rows as the file is to have them. In the file, no payment is marked as archived. If a payment
    /// changed after it was archived, the journal has only the new rows, and the file keeps the earlier ones.
    private func completed(_ payment: ArchivedRows) throws -> [(table: JournalTable, values: [[Value]])] {
        var rows = payment.rows
        guard let place = rows[0].table.place("archived"), let row = rows[0].values.first, row[place] != .integer(nil)
        else { return rows }
        rows[0].values[0][place] = .integer(nil)
        if let known = try self.row(of: rows[0].table, row), let place = rows[0].table.place("operations") {
            rows[0].values[0][place] = known[place]
        }
        // A change of a payment with money leaves the answer to its charge as it was.
        for column in ["receipt", "summary"] {
            guard let table = rows.firstIndex(where: { $0.table.name == "history" }),
                let place = rows[table].table.place(column), let number = rows[table].table.place("number"),
                let last = rows[table].values.firstIndex(where: { $0[number] == .integer(payment.version) }),
                rows[table].values.allSatisfy({ $0[place] == .bytes(nil) }),
                let earlier = try session.answer(
                    to: """
                        SELECT \(column) FROM history WHERE merchant_reference = $1 AND number < $2 AND \(column) IS NOT NULL
                        ORDER BY number DESC LIMIT 1
                        """, [.text(payment.merchantReference), .integer(payment.version)]
                ).rows.first
            else { continue }
            rows[table].values[last][place] = .bytes(try earlier.optionalBytes(column))
        }
        return rows
    }

    private func compare(_ table: JournalTable, _ values: [Value]) throws {
        guard let found = try row(of: table, values) else {
            throw JournalCopyError.different(table: table.name, key: "", how: "the archive does not have it")
        }
        guard let place = values.indices.first(where: { values[$0] != found[$0] }) else { return }
        throw JournalCopyError.different(
            table: table.name, key: "", how: "\(table.columns[place].name) is another in the archive")
    }

    /// Returns the file's row with the same key as these values.
    private func row(of table: JournalTable, _ values: [Value]) throws -> [Value]? {
        let condition = table.key.enumerated().map { "\(table.columns[$1].name) = $\($0 + 1)" }
        let row = try session.answer(
            to: "SELECT \(table.columnList) FROM \(table.name) WHERE \(condition.joined(separator: " AND "))",
            table.key.map { values[$0] }
        ).rows.first
        return try row.map { try table.values(of: $0) }
    }
}
