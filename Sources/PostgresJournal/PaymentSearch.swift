import JournalSearch
public import PaymentRelay

extension PostgresJournal {
    public func search(_ query: PaymentQuery) async throws(JournalError) -> PaymentPage {
        let page = try await SearchedServer(journal: self).page(of: query)
        return PaymentPage(payments: page.payments.readable(onUnreadable), next: page.next)
    }
}

private struct SearchedServer: SearchableDatabase {
    let journal: PostgresJournal

    // The server chooses the index by its statistics.
    static let dialect = SearchDialect(
        columns: PostgresStatement.columns, referenceBytes: #"merchant_reference COLLATE "C""#,
        referenceIndex: "payment_by_reference", openIndex: "payment_by_opening",
        bounds: SearchBounds(entries: 10_000, payments: 5_000), parameter: { "$\($0)::text" }, index: { _ in "" },
        places: { key, range in
            """
            SELECT claimed_at, merchant_reference FROM search_key
            WHERE slot = \(key.slot) AND \(range) AND digest = \(key.digest)
            """
        },
        hasKey: { key in
            """
            EXISTS (SELECT 1 FROM search_key WHERE slot = \(key.slot) AND digest = \(key.digest)
                AND search_key.claimed_at = payment.claimed_at
                AND search_key.merchant_reference = payment.merchant_reference)
            """
        },
        equals: { column, parameter in
            // An index takes no row beyond some 2,700 bytes, and the names are whatever is configured.
            switch column {
            case "client": "left(\(column), 200) = left(\(parameter), 200) AND \(column) = \(parameter)"
            default: "\(column) = \(parameter)"
            }
        })

    func payments(_ statement: SearchStatement) async throws(JournalError) -> [FoundPayment] {
        try await rows(statement).map { row in
            FoundPayment(place: PaymentCursor(reading: row, at: "claimed_at"), payment: Payment.read(row))
        }
    }

    func count(_ statement: SearchStatement) async throws(JournalError) -> Int {
        let row = try await rows(statement).first
        return (try? row?.integer("count")) ?? 0
    }

    func place(_ statement: SearchStatement) async throws(JournalError) -> PaymentCursor? {
        try await rows(statement).first.flatMap { PaymentCursor(reading: $0) }
    }

    /// Without a name: there are many statements, and a server keeps each that has one.
    private func rows(_ statement: SearchStatement) async throws(JournalError) -> [PostgresRow] {
        try await journal.run(
            PostgresStatement("", isRepeatable: true, statement.sql), statement.texts.map { .text($0) }
        ).rows
    }
}
