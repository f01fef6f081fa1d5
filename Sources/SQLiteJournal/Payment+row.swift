import FoundationEssentials
import GRDB
import PaymentRelay

extension Payment {
    /// - Throws: ``CorruptRow`` where a column holds what no version of this journal wrote.
    init(row: Row) throws {
        let reference: String = row["merchant_reference"]
        guard let command = Order.Command(rawValue: row["command"]), let state = PaymentState(rawValue: row["state"])
        else { throw CorruptRow(merchantReference: reference) }
        let receipt: Data? = row["receipt"]
        let fingerprint: Data = row["fingerprint"]
        let operations: Data? = row["operations"]
        self.init(
            merchantReference: reference, command: command, amount: row["amount"], currency: row["currency"],
            fingerprint: RequestFingerprint(bytes: Array(fingerprint)),
            appleTransactionIdentifier: row["apple_transaction_identifier"],
            claimedAt: Date(milliseconds: row["claimed_at"]), account: row["account"],
            client: row["client"], state: state,
            balance: Balance(captured: row["captured"], refunded: row["refunded"]),
            operations: try operations.map { try MaintenanceOperation.operations(from: Array($0)) } ?? [],
            version: row["version"], holdsCustomerData: row["holds_customer_data"], receipt: receipt.map { Array($0) },
            lease: Lease(number: row["lease_number"], expiresAt: Date(milliseconds: row["lease_expires_at"])))
    }
}

extension HistoryEntry {
    init(row: Row) throws {
        guard let state = PaymentState(rawValue: row["state"]) else {
            throw CorruptRow(merchantReference: row["merchant_reference"])
        }
        let event: Data? = row["event"]
        self.init(
            at: Date(milliseconds: row["at"]), state: state,
            balance: Balance(captured: row["captured"], refunded: row["refunded"]), reason: row["reason"],
            requestIdentifier: row["request_identifier"], event: event.map { Array($0) })
    }
}

/// A row that no version of this journal wrote.
struct CorruptRow: Error {
    let merchantReference: String
}

extension Date {
    /// Since 1970, the journal's unit of time.
    var milliseconds: Int64 { Int64((timeIntervalSince1970 * 1_000).rounded()) }

    init(milliseconds: Int64) { self.init(timeIntervalSince1970: Double(milliseconds) / 1_000) }
}
