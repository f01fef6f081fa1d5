import FoundationEssentials
import GRDB
import PaymentRelay

extension Payment {
    /// - Throws: ``UnreadableRecord`` where a column holds what no version of this journal wrote.
    init(row: Row) throws(UnreadableRecord) {
        let columns = StrictColumns(row)
        self = try PaymentRecord(
            merchantReference: columns.reference, command: columns.text("command"), amount: columns.integer("amount"),
            currency: columns.text("currency"), fingerprint: columns.bytes("fingerprint"),
            appleTransactionIdentifier: columns.text("apple_transaction_identifier"),
            claimedAt: columns.integer("claimed_at"), account: columns.optionalText("account"),
            client: columns.optionalText("client"), state: columns.text("state"),
            captured: columns.integer("captured"), refunded: columns.integer("refunded"),
            operations: columns.optionalBytes("operations"), version: columns.integer("entries"),
            holdsCustomerData: columns.integer("holds_customer_data") != 0, receipt: columns.optionalBytes("receipt"),
            leaseNumber: columns.integer("lease_number"), leaseExpiresAt: columns.integer("lease_expires_at")
        ).payment()
    }
}

extension Payment {
    static func read(_ row: Row) -> Result<Payment, UnreadableRecord> {
        Result { () throws(UnreadableRecord) in try Payment(row: row) }
    }
}

extension HistoryEntry {
    init(row: Row) throws(UnreadableRecord) {
        let columns = StrictColumns(row)
        self = try HistoryRecord(
            at: columns.integer("at"), state: columns.text("state"), captured: columns.integer("captured"),
            refunded: columns.integer("refunded"), source: columns.optionalText("source"),
            reason: columns.optionalText("reason"),
            requestIdentifier: columns.optionalText("request_identifier"), event: columns.optionalBytes("event"),
            number: columns.integer("number"), times: columns.integer("times"), since: columns.optionalInteger("since")
        ).entry(of: columns.reference)
    }
}

/// The columns of a row, read without GRDB's conversions, which trap where a value is of another kind.
struct StrictColumns {
    private let row: Row

    init(_ row: Row) {
        self.row = row
    }

    /// Empty where it cannot be read.
    var reference: String { storage("merchant_reference").text ?? "" }

    func text(_ column: String) throws(UnreadableRecord) -> String {
        guard let text = storage(column).text else { throw unreadable(column) }
        return text
    }

    func integer(_ column: String) throws(UnreadableRecord) -> Int {
        guard case .int64(let integer) = storage(column) else { throw unreadable(column) }
        return Int(integer)
    }

    func bytes(_ column: String) throws(UnreadableRecord) -> [UInt8] {
        guard case .blob(let data) = storage(column) else { throw unreadable(column) }
        return Array(data)
    }

    func optionalText(_ column: String) throws(UnreadableRecord) -> String? {
        if case .null = storage(column) { return nil }
        return try text(column)
    }

    func optionalInteger(_ column: String) throws(UnreadableRecord) -> Int? {
        if case .null = storage(column) { return nil }
        return try integer(column)
    }

    func moment(_ column: String) throws(UnreadableRecord) -> Date {
        guard let time = EpochMilliseconds(milliseconds: try integer(column)) else { throw unreadable(column) }
        return time.date
    }

    /// Of a summary; see ``EpochMilliseconds/init(clamping:)``.
    func nearestMoment(_ column: String) throws(UnreadableRecord) -> Date? {
        try optionalInteger(column).map { EpochMilliseconds(clamping: $0).date }
    }

    func optionalBytes(_ column: String) throws(UnreadableRecord) -> [UInt8]? {
        if case .null = storage(column) { return nil }
        return try bytes(column)
    }

    private func storage(_ column: String) -> DatabaseValue.Storage {
        let value: DatabaseValue? = row[column]
        return value?.storage ?? .null
    }

    private func unreadable(_ column: String) -> UnreadableRecord {
        UnreadableRecord(merchantReference: reference, column: column)
    }
}

extension DatabaseValue.Storage {
    fileprivate var text: String? {
        if case .string(let text) = self { text } else { nil }
    }
}

extension Date {
    /// Since 1970, the journal's unit of time.
    var milliseconds: Int64 { Int64(EpochMilliseconds(self).milliseconds) }
}
