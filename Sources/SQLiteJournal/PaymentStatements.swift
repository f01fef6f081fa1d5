import PayrelayPrimitives
import FoundationEssentials
import GRDB
import PaymentRelay

extension Database {
    /// What a payment is read from. Its receipt stands in the last entry of its history.
    static let paymentColumns = """
        *, (SELECT receipt FROM history WHERE history.merchant_reference = payment.merchant_reference
            ORDER BY entry DESC LIMIT 1) AS receipt
        """

    func payment(_ merchantReference: String) throws -> Payment? {
        let statement = try cachedStatement(
            sql: "SELECT \(Self.paymentColumns) FROM payment WHERE merchant_reference = ?")
        return try Row.fetchOne(statement, arguments: [merchantReference]).map(Payment.init(row:))
    }

    func openPayments(limit: Int) throws -> [Result<Payment, UnreadableRecord>] {
        let statement = try cachedStatement(
            sql: """
                SELECT \(Self.paymentColumns) FROM payment WHERE opened_at IS NOT NULL ORDER BY opened_at LIMIT ?
                """)
        return try Row.fetchAll(statement, arguments: [limit]).map(Payment.read)
    }

    func openSummary(overdueBefore moment: Date) throws -> OpenSummary {
        let statement = try cachedStatement(
            sql: """
                SELECT count(*) AS open, min(opened_at) AS oldest, count(*) FILTER (WHERE opened_at < ?) AS overdue
                FROM payment WHERE opened_at IS NOT NULL
                """)
        guard let row = try Row.fetchOne(statement, arguments: [moment.milliseconds]) else { return OpenSummary() }
        let columns = StrictColumns(row)
        return OpenSummary(
            count: try columns.integer("open"), oldest: try columns.nearestMoment("oldest"),
            overdue: try columns.integer("overdue"))
    }

    func paymentsHoldingCustomerData(
        claimedBefore moment: Date, after place: PaymentCursor?, limit: Int
    ) throws -> [PaymentCursor] {
        let statement = try cachedStatement(
            sql: """
                SELECT claimed_at AS at, merchant_reference FROM payment
                WHERE holds_customer_data AND claimed_at < :moment AND opened_at IS NULL
                AND (claimed_at, merchant_reference) > (:at, :reference)
                ORDER BY claimed_at, merchant_reference LIMIT :limit
                """)
        let arguments: StatementArguments = [
            "moment": moment.milliseconds, "at": place?.at.milliseconds ?? 0,
            "reference": place?.merchantReference ?? "", "limit": limit,
        ]
        return try Row.fetchAll(statement, arguments: arguments).compactMap(PaymentCursor.init(reading:))
    }

    /// Writes another event over the one that the payment's entry of this number holds.
    func redactEvent(_ number: Int, of merchantReference: String, to event: [UInt8]) throws {
        let statement = try cachedStatement(
            sql: """
                UPDATE history SET event = ? WHERE merchant_reference = ? AND number = ? AND event IS NOT NULL
                """)
        try statement.execute(arguments: [Data(event), merchantReference, number])
    }

    func history(of merchantReference: String) throws -> [HistoryEntry] {
        let statement = try cachedStatement(sql: "SELECT * FROM history WHERE merchant_reference = ? ORDER BY entry")
        return try Row.fetchAll(statement, arguments: [merchantReference]).map(HistoryEntry.init(row:))
    }
}
