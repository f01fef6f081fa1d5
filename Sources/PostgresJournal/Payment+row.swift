import FoundationEssentials
import PaymentRelay

extension Payment {
    init(row: PostgresRow) throws(PostgresError) {
        guard let command = Order.Command(rawValue: try row.text("command")) else {
            throw .unexpectedValue(column: "command")
        }
        guard let fingerprint = row.bytes("fingerprint") else { throw .unexpectedValue(column: "fingerprint") }
        self.init(
            merchantReference: try row.text("merchant_reference"), command: command,
            amount: try row.integer("amount"), currency: try row.text("currency"),
            fingerprint: RequestFingerprint(bytes: fingerprint),
            appleTransactionIdentifier: try row.text("apple_transaction_identifier"),
            claimedAt: try row.moment("claimed_at"), account: try row.optionalText("account"),
            client: try row.optionalText("client"), state: try row.state(),
            balance: try row.balance(), operations: try row.operations(), version: try row.integer("entries"),
            holdsCustomerData: try row.boolean("holds_customer_data"),
            receipt: row.bytes("receipt"),
            lease: Lease(number: try row.integer("lease_number"), expiresAt: try row.moment("lease_expires_at")))
    }
}

extension HistoryEntry {
    init(row: PostgresRow) throws(PostgresError) {
        self.init(
            at: try row.moment("at"), state: try row.state(), balance: try row.balance(),
            reason: try row.optionalText("reason"),
            requestIdentifier: try row.optionalText("request_identifier"), event: row.bytes("event"))
    }
}

extension PostgresRow {
    func moment(_ column: String) throws(PostgresError) -> Date {
        Date(timeIntervalSince1970: Double(try integer(column)) / 1_000)
    }

    fileprivate func balance() throws(PostgresError) -> Balance {
        Balance(captured: try integer("captured"), refunded: try integer("refunded"))
    }

    fileprivate func operations() throws(PostgresError) -> [MaintenanceOperation] {
        guard let bytes = bytes("operations") else { return [] }
        do { return try MaintenanceOperation.operations(from: bytes) } catch {
            throw .unexpectedValue(column: "operations")
        }
    }

    fileprivate func state() throws(PostgresError) -> PaymentState {
        guard let state = PaymentState(rawValue: try text("state")) else { throw .unexpectedValue(column: "state") }
        return state
    }
}

extension PostgresValue {
    /// The journal's unit of time: milliseconds since 1970.
    static func moment(_ moment: Date?) -> PostgresValue {
        .integer(moment.map { Int(($0.timeIntervalSince1970 * 1_000).rounded()) })
    }
}
