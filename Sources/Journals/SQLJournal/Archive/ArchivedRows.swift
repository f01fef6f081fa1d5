import PaymentRelay

/// The rows of one payment that go to the archive.
struct ArchivedRows: Sendable {
    let merchantReference: String
    let version: Int
    /// The rows of each table, in the schema's order.
    fileprivate(set) var rows: [(table: JournalTable, values: [[Value]])]

    func values(_ table: String) -> [[Value]] { rows.first { $0.table.name == table }?.values ?? [] }

    func count(_ table: String) -> Int { values(table).count }

    /// Returns the greatest number in a column; zero if there are no rows.
    func greatest(_ column: String, in table: String) -> Int {
        guard let (known, values) = rows.first(where: { $0.table.name == table }), let place = known.place(column)
        else { return 0 }
        return values.map { if case .integer(let number?) = $0[place] { number } else { 0 } }.max() ?? 0
    }
}

extension JournalTable {
    /// The tables with rows of payments, except `work`: a payment that leaves the journal has no work waiting.
    static let ofPayments = Schema.tables.filter { $0.place("merchant_reference") != nil && $0.name != "work" }

    func place(_ column: String) -> Int? { columns.firstIndex { $0.name == column } }

    /// Returns the query for the rows of `count` payments. No index of the movements begins with the reference, so
    /// they are found through the history.
    fileprivate func query(_ count: Int) -> String {
        let list = columns.map { "\(name).\($0.name)" }.joined(separator: ", ")
        let references = Statement.parameters(count)
        guard name == "movement" else {
            return "SELECT \(list) FROM \(name) WHERE merchant_reference IN (\(references))"
        }
        return """
            SELECT \(list) FROM history CROSS JOIN movement WHERE history.merchant_reference IN (\(references))
                AND movement.at = history.at AND movement.merchant_reference = history.merchant_reference
                AND movement.entry = history.number
            """
    }
}

extension SQLJournal {
    /// Returns the rows of the payments that are still what was found. A payment with a value that no journal can
    /// have is left out and reported.
    func rows(of payments: [ArchivablePayment]) async throws(JournalError) -> [ArchivedRows] {
        guard !payments.isEmpty else { return [] }
        var found: [String: ArchivedRows] = [:]
        for payment in payments {
            let reference = payment.merchantReference
            found[reference] = ArchivedRows(merchantReference: reference, version: payment.version, rows: [])
        }
        for table in JournalTable.ofPayments {
            for reference in found.keys { found[reference]?.rows.append((table, [])) }
            let rows = try await read(
                .archive, Statement(nil, isRepeatable: true, table.query(payments.count)),
                payments.map { .text($0.merchantReference) })
            for row in rows {
                do throws(UnreadableRow) {
                    let values = try table.values(of: row)
                    found[row.reference]?.add(values)
                } catch {
                    onUnreadable(UnreadableRecord(merchantReference: row.reference, column: error.column))
                    found[row.reference] = nil
                }
            }
            // Leave out payments that have changed in the meantime.
            if table.name == "payment" { found = found.filter { $0.value.isWhole } }
        }
        return found.values.sorted { $0.merchantReference.utf8.lexicographicallyPrecedes($1.merchantReference.utf8) }
    }
}

extension ArchivedRows {
    fileprivate mutating func add(_ values: [Value]) {
        let table = rows[rows.count - 1].table
        // Entries that were added since do not belong to this version.
        if let place = table.name == "history" ? table.place("number") : nil,
            case .integer(let number?) = values[place],
            number > version
        {
            return
        }
        rows[rows.count - 1].values.append(values)
    }

    fileprivate var isWhole: Bool {
        guard let place = rows[0].table.place("version"), let values = rows[0].values.first else { return false }
        return values[place] == .integer(version)
    }
}
