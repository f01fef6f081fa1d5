import FoundationEssentials
import PaymentRelay

extension Payment {
    /// - Throws: ``PostgresError/unexpectedValue(column:)`` for a row without its reference; ``UnreadableRecord`` where another
    ///   column holds what no version of this journal wrote.
    init(row: PostgresRow) throws {
        let reference = try row.text("merchant_reference")
        let record: PaymentRecord
        do throws(PostgresError) {
            record = PaymentRecord(
                merchantReference: reference, command: try row.text("command"), amount: try row.integer("amount"),
                currency: try row.text("currency"), fingerprint: row.bytes("fingerprint") ?? [],
                appleTransactionIdentifier: try row.text("apple_transaction_identifier"),
                claimedAt: try row.integer("claimed_at"), account: try row.optionalText("account"),
                client: try row.optionalText("client"), state: try row.text("state"),
                captured: try row.integer("captured"), refunded: try row.integer("refunded"),
                operations: row.bytes("operations"), version: try row.integer("entries"),
                holdsCustomerData: try row.boolean("holds_customer_data"), receipt: row.bytes("receipt"),
                leaseNumber: try row.integer("lease_number"), leaseExpiresAt: try row.integer("lease_expires_at"))
        } catch {
            throw UnreadableRecord(merchantReference: reference, column: error.column)
        }
        self = try record.payment()
    }

    /// - Throws: ``PostgresError/unexpectedValue(column:)`` for a row without its reference.
    static func read(_ row: PostgresRow) throws -> Result<Payment, UnreadableRecord> {
        do {
            return .success(try Payment(row: row))
        } catch let record as UnreadableRecord {
            return .failure(record)
        }
    }
}

extension HistoryEntry {
    init(row: PostgresRow, of merchantReference: String) throws {
        let record: HistoryRecord
        do throws(PostgresError) {
            record = HistoryRecord(
                at: try row.integer("at"), state: try row.text("state"), captured: try row.integer("captured"),
                refunded: try row.integer("refunded"), reason: try row.optionalText("reason"),
                requestIdentifier: try row.optionalText("request_identifier"), event: row.bytes("event"))
        } catch {
            throw UnreadableRecord(merchantReference: merchantReference, column: error.column)
        }
        self = try record.entry(of: merchantReference)
    }
}

extension PostgresRow {
    func moment(_ column: String) throws(PostgresError) -> Date {
        guard let time = JournalTime(milliseconds: try integer(column)) else { throw .unexpectedValue(column: column) }
        return time.date
    }
}

extension PostgresRow {
    /// Of a summary; see ``JournalTime/init(clamping:)``.
    func nearestMoment(_ column: String) throws(PostgresError) -> Date {
        JournalTime(clamping: try integer(column)).date
    }
}

extension PostgresError {
    fileprivate var column: String {
        if case .unexpectedValue(let column) = self { column } else { "" }
    }
}

extension PostgresValue {
    /// The journal's unit of time: milliseconds since 1970.
    static func moment(_ moment: Date?) -> PostgresValue {
        .integer(moment.map { JournalTime($0).milliseconds })
    }
}
