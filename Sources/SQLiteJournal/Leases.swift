import FoundationEssentials
import GRDB
import PaymentRelay

extension Database {
    func lease(limit: Int, at moment: Date, until expiry: Date) throws -> [Result<Payment, UnreadableRecord>] {
        // A lease number beyond the limit is left as it is: to count it on would overflow and fail the whole statement.
        let statement = try cachedStatement(
            sql: """
                UPDATE payment SET lease_expires_at = :expiry, lease_number =
                    CASE WHEN lease_number BETWEEN 0 AND \(PaymentRecord.countLimit) THEN lease_number + 1 ELSE lease_number END
                WHERE merchant_reference IN (
                    SELECT merchant_reference FROM payment
                    WHERE opened_at IS NOT NULL AND lease_expires_at <= :moment
                    ORDER BY lease_expires_at LIMIT :limit)
                RETURNING \(Self.paymentColumns)
                """)
        let arguments: StatementArguments = [
            "expiry": expiry.milliseconds, "moment": moment.milliseconds, "limit": limit,
        ]
        return try Row.fetchAll(statement, arguments: arguments).map(Payment.read)
    }

    func release(_ merchantReference: String, lease: Lease, at moment: Date) throws {
        let statement = try cachedStatement(
            sql: """
                UPDATE payment SET lease_expires_at = ?
                WHERE merchant_reference = ? AND lease_number = ? AND lease_expires_at = ?
                """)
        try statement.execute(arguments: [
            moment.milliseconds, merchantReference, lease.number, lease.expiresAt.milliseconds,
        ])
    }

    /// Ends every lease, for the one process that owns the file: their holders have ended.
    func releaseAll() throws {
        try execute(sql: "UPDATE payment SET lease_expires_at = opened_at WHERE opened_at IS NOT NULL")
        try execute(sql: "UPDATE payment SET events_due_at = events_waiting_since WHERE events_due_at IS NOT NULL")
    }
}
