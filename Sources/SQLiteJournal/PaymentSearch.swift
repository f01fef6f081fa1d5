import FoundationEssentials
import GRDB
import JournalSearch
public import PaymentRelay

extension SQLiteJournal {
    /// Reads on connections of its own: the writer waits for none.
    public func search(_ query: PaymentQuery) async throws(JournalError) -> PaymentPage {
        let page = try await SearchedFile(journal: self).page(of: query)
        return PaymentPage(payments: page.payments.readable(onUnreadable), next: page.next)
    }
}

private struct SearchedFile: SearchableDatabase {
    let journal: SQLiteJournal

    // SQLite has no statistics here: an index is named, so that no plan depends on what it guesses.
    static let dialect = SearchDialect(
        columns: Database.paymentColumns, referenceBytes: "merchant_reference",
        referenceIndex: "sqlite_autoindex_payment_1", openIndex: "open_payment",
        bounds: SearchBounds(entries: 20_000, payments: 5_000), parameter: { "?\($0)" },
        index: { "INDEXED BY \($0)" }, places: SearchKeySQL.places, hasKey: SearchKeySQL.isOfPayment)

    func payments(_ statement: SearchStatement) async throws(JournalError) -> [FoundPayment] {
        try await journal.read { database in
            try Row.fetchAll(database, sql: statement.sql, arguments: StatementArguments(statement.texts)).map { row in
                let columns = StrictColumns(row)
                let place = (try? columns.moment("claimed_at")).map {
                    PaymentCursor(at: $0, merchantReference: columns.reference)
                }
                return FoundPayment(place: place, payment: Payment.read(row))
            }
        }
    }

    func count(_ statement: SearchStatement) async throws(JournalError) -> Int {
        try await journal.read { database in
            try Row.fetchOne(database, sql: statement.sql, arguments: StatementArguments(statement.texts)).map {
                try StrictColumns($0).integer("count")
            } ?? 0
        }
    }

    func place(_ statement: SearchStatement) async throws(JournalError) -> PaymentCursor? {
        try await journal.read { database in
            try Row.fetchOne(database, sql: statement.sql, arguments: StatementArguments(statement.texts))
                .flatMap(PaymentCursor.init(reading:))
        }
    }
}
