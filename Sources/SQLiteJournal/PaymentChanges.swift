import FoundationEssentials
import GRDB
import PaymentRelay
import PayrelayPrimitives

/// Changes that are not part of every payment.
extension PaymentWriter {
    /// Writes a payment that was made elsewhere; false where its reference is taken.
    func record(_ payment: Payment, because entry: HistoryEntry) throws -> Bool {
        let statement = try database.cachedStatement(
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
        guard database.changesCount == 1 else { return false }
        try add(entry, receipt: payment.receipt, to: payment.merchantReference)
        try add(
            Movement.made(from: nil, to: payment.state, payment.balance, of: payment.amount), of: payment, at: entry.at)
        try searchKeyStatement.run { $0.bind(.madeElsewhere, payment.claimedAt, payment.merchantReference) }
        return true
    }

    /// False where the payment is no longer as it was read.
    func compareAndSet(_ old: Payment, to new: Payment, because entry: HistoryEntry) throws -> Bool {
        let statement = try database.cachedStatement(
            sql: """
                UPDATE payment SET state = :state, captured = :captured, refunded = :refunded,
                    operations = :operations, lease_number = :lease, lease_expires_at = :expiry, entries = entries + 1,
                    holds_customer_data = :holds, opened_at = CASE WHEN :isOpen THEN coalesce(opened_at, :at) END,
                    \(PaymentSQL.queueEvent(if: ":hasEvent", at: ":at"))
                WHERE merchant_reference = :reference AND entries = :version AND lease_number = :oldLease
                """)
        try statement.execute(arguments: [
            "state": new.state.rawValue, "captured": new.balance.captured.value, "refunded": new.balance.refunded.value,
            "operations": PaymentOperation.encoded(new.operations).map { Data($0) }, "lease": new.lease.number,
            "expiry": new.lease.expiresAt.milliseconds, "holds": new.holdsCustomerData, "isOpen": new.isOpen,
            "at": entry.at.milliseconds, "hasEvent": entry.event != nil,
            "reference": old.merchantReference, "version": old.version, "oldLease": old.lease.number,
        ])
        guard database.changesCount == 1 else { return false }
        try removeReceipts(of: old.merchantReference)
        try add(entry, receipt: new.receipt, to: old.merchantReference)
        try add(Movement.made(from: old, to: new.state, new.balance, of: old.amount), of: old, at: entry.at)
        if !new.holdsCustomerData { try eraseSearchKeys(of: old) }
        return true
    }

    /// Removes a payment's earlier receipts: a later one takes their place, and may be without the customer's data.
    private func removeReceipts(of merchantReference: String) throws {
        let statement = try database.cachedStatement(
            sql: "UPDATE history SET receipt = NULL WHERE merchant_reference = ? AND receipt IS NOT NULL")
        try statement.execute(arguments: [merchantReference])
    }
}
