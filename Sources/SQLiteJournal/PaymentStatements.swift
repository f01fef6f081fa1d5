import Primitives
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

    /// Writes a payment that was made elsewhere; false where its reference is taken.
    func record(_ payment: Payment, because entry: HistoryEntry) throws -> Bool {
        let statement = try cachedStatement(
            sql: """
                INSERT INTO payment (merchant_reference, state, command, amount, currency, fingerprint,
                    apple_transaction_identifier, claimed_at, opened_at, account, client, captured, refunded,
                    lease_number, lease_expires_at, events_last, events_due_at, events_waiting_since)
                VALUES (:reference, :state, :command, :amount, :currency, x'', '', :claimedAt, :openedAt, :account, :client,
                    :captured, :refunded, :lease, :expiry, :hasEvent, :eventsAt, :eventsAt)
                ON CONFLICT DO NOTHING
                """)
        try statement.execute(arguments: [
            "reference": payment.merchantReference, "state": payment.state.rawValue,
            "command": payment.command.rawValue, "amount": payment.amount.value, "currency": payment.currency,
            "claimedAt": payment.claimedAt.milliseconds,
            "openedAt": payment.state.isOpen ? payment.claimedAt.milliseconds : nil, "account": payment.account,
            "client": payment.client, "captured": payment.balance.captured.value,
            "refunded": payment.balance.refunded.value, "lease": payment.lease.number,
            "expiry": payment.lease.expiresAt.milliseconds, "hasEvent": entry.event == nil ? 0 : 1,
            "eventsAt": entry.event == nil ? nil : entry.at.milliseconds,
        ])
        guard changesCount == 1 else { return false }
        try add(entry, receipt: payment.receipt, to: payment.merchantReference)
        return true
    }

    /// Writes another event over the one that the payment's entry of this number holds.
    func redactEvent(_ number: Int, of merchantReference: String, to event: [UInt8]) throws {
        let statement = try cachedStatement(
            sql: """
                UPDATE history SET event = ? WHERE event IS NOT NULL AND entry = (
                    SELECT entry FROM history WHERE merchant_reference = ? ORDER BY entry LIMIT 1 OFFSET ?)
                """)
        try statement.execute(arguments: [Data(event), merchantReference, number - 1])
    }

    /// False where the payment is no longer in the state it was read in, or was claimed again.
    func transition(_ payment: Payment, because entry: HistoryEntry) throws -> Bool {
        let statement = try cachedStatement(
            sql: """
                UPDATE payment SET state = :next, captured = :captured, refunded = :refunded,
                    entries = entries + 1, opened_at = CASE WHEN :isOpen THEN coalesce(opened_at, :at) END,
                    token_digest = CASE WHEN :frees THEN NULL ELSE token_digest END,
                    idempotency_key = CASE WHEN :frees THEN NULL ELSE idempotency_key END,
                    \(Self.queueEvent)
                WHERE merchant_reference = :reference AND state = :state AND claimed_at = :claimedAt
                """)
        // In the order in which the statement names them first.
        try statement.execute(arguments: [
            entry.state.rawValue, entry.balance.captured.value, entry.balance.refunded.value, entry.state.isOpen,
            entry.at.milliseconds, entry.state.freesTokenAndKey, entry.event != nil,
            payment.merchantReference, payment.state.rawValue, payment.claimedAt.milliseconds,
        ])
        return changesCount == 1
    }

    /// False where the payment is no longer as it was read.
    func compareAndSet(_ old: Payment, to new: Payment, because entry: HistoryEntry) throws -> Bool {
        let statement = try cachedStatement(
            sql: """
                UPDATE payment SET state = :state, captured = :captured, refunded = :refunded,
                    operations = :operations, lease_number = :lease, lease_expires_at = :expiry, entries = entries + 1,
                    holds_customer_data = :holds, opened_at = CASE WHEN :isOpen THEN coalesce(opened_at, :at) END,
                    \(Self.queueEvent)
                WHERE merchant_reference = :reference AND entries = :version AND lease_number = :oldLease
                """)
        try statement.execute(arguments: [
            "state": new.state.rawValue, "captured": new.balance.captured.value, "refunded": new.balance.refunded.value,
            "operations": PaymentOperation.encoded(new.operations).map { Data($0) }, "lease": new.lease.number,
            "expiry": new.lease.expiresAt.milliseconds, "holds": new.holdsCustomerData, "isOpen": new.isOpen,
            "at": entry.at.milliseconds, "hasEvent": entry.event != nil,
            "reference": old.merchantReference, "version": old.version, "oldLease": old.lease.number,
        ])
        return changesCount == 1
    }

    /// Adds an entry with the payment's receipt after it.
    func add(_ entry: HistoryEntry, receipt: [UInt8]? = nil, to merchantReference: String) throws {
        let statement = try cachedStatement(
            sql: """
                INSERT INTO history (merchant_reference, at, state, captured, refunded, reason, request_identifier, event,
                    receipt)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                """)
        try statement.execute(arguments: [
            merchantReference, entry.at.milliseconds, entry.state.rawValue, entry.balance.captured.value,
            entry.balance.refunded.value, entry.reason, entry.requestIdentifier, entry.event.map { Data($0) },
            receipt.map { Data($0) },
        ])
        FailPoint.committing.reach()
    }

    /// Removes a payment's earlier receipts: a later one takes their place, and may be without the customer's data.
    func removeReceipts(of merchantReference: String) throws {
        let statement = try cachedStatement(
            sql: "UPDATE history SET receipt = NULL WHERE merchant_reference = ? AND receipt IS NOT NULL")
        try statement.execute(arguments: [merchantReference])
    }

    func history(of merchantReference: String) throws -> [HistoryEntry] {
        let statement = try cachedStatement(sql: "SELECT * FROM history WHERE merchant_reference = ? ORDER BY entry")
        return try Row.fetchAll(statement, arguments: [merchantReference]).map(HistoryEntry.init(row:))
    }
}
