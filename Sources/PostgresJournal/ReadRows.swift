import FoundationEssentials
import PaymentRelay

extension Payment {
    /// - Throws: ``UnreadableRecord`` where a column holds what no version of this journal wrote.
    init(row: PostgresRow) throws(UnreadableRecord) {
        self = try PaymentRecord(
            merchantReference: row.text("merchant_reference"), command: row.text("command"),
            amount: row.integer("amount"), currency: row.text("currency"), fingerprint: row.bytes("fingerprint") ?? [],
            appleTransactionIdentifier: row.text("apple_transaction_identifier"),
            claimedAt: row.integer("claimed_at"), account: row.optionalText("account"),
            client: row.optionalText("client"), state: row.text("state"), captured: row.integer("captured"),
            refunded: row.integer("refunded"), operations: row.bytes("operations"), version: row.integer("entries"),
            holdsCustomerData: row.boolean("holds_customer_data"), receipt: row.bytes("receipt"),
            leaseNumber: row.integer("lease_number"), leaseExpiresAt: row.integer("lease_expires_at")
        ).payment()
    }

    static func read(_ row: PostgresRow) -> Result<Payment, UnreadableRecord> {
        Result { () throws(UnreadableRecord) in try Payment(row: row) }
    }
}

extension HistoryEntry {
    init(row: PostgresRow, of merchantReference: String) throws(UnreadableRecord) {
        let record: HistoryRecord
        do throws(UnreadableRecord) {
            record = try HistoryRecord(
                at: row.integer("at"), state: row.text("state"), captured: row.integer("captured"),
                refunded: row.integer("refunded"), source: row.optionalText("source"),
                reason: row.optionalText("reason"), requestIdentifier: row.optionalText("request_identifier"),
                event: row.bytes("event"), number: row.integer("entry"), times: row.integer("times"),
                since: row.optionalInteger("since"))
        } catch {
            throw UnreadableRecord(merchantReference: merchantReference, column: error.column)
        }
        self = try record.entry(of: merchantReference)
    }
}

extension PaymentCursor {
    /// Nil for a row whose moment is none.
    init?(reading row: PostgresRow, at column: String = "at") {
        guard let at = try? EpochMilliseconds(milliseconds: row.integer(column))?.date,
            let reference = try? row.text("merchant_reference")
        else { return nil }
        self.init(at: at, merchantReference: reference)
    }
}

extension PostgresRow {
    /// Of a summary, nil for NULL; see ``EpochMilliseconds/init(clamping:)``.
    func nearestMoment(_ column: String) throws(UnreadableRecord) -> Date? {
        bytes(column) == nil ? nil : EpochMilliseconds(clamping: try integer(column)).date
    }
}

extension PostgresValue {
    /// The journal's unit of time: milliseconds since 1970.
    static func moment(_ moment: Date?) -> PostgresValue {
        .integer(moment.map { EpochMilliseconds($0).milliseconds })
    }
}
