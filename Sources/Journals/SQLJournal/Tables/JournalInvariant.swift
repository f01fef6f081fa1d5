import PayrelayPrimitives

/// A condition between the rows of every journal, which holds whatever happened to its payments.
public struct JournalInvariant: Sendable {
    /// A description of the violation, for the payment that violates the condition.
    public let violation: String
    /// The query for the reference of the first payment that violates the condition.
    let query: String

    /// The conditions that hold in a state of the database between two transactions.
    public static let all = [
        JournalInvariant(
            violation: "the last entry of its history says something else than the payment",
            query: """
                SELECT payment.merchant_reference FROM payment LEFT JOIN history
                    ON history.merchant_reference = payment.merchant_reference AND history.number = payment.version
                WHERE coalesce(payment.archived, 0) < payment.version AND (history.number IS NULL
                    OR history.state <> payment.state OR history.captured <> payment.captured
                    OR history.refunded <> payment.refunded)
                LIMIT 1
                """),
        JournalInvariant(
            violation: "its history has an entry that the payment does not know",
            query: """
                SELECT history.merchant_reference FROM history LEFT JOIN payment
                    ON payment.merchant_reference = history.merchant_reference
                WHERE payment.version IS NULL OR history.number > payment.version
                    OR history.number <= coalesce(payment.archived, 0)
                LIMIT 1
                """),
        JournalInvariant(
            violation: "its charge is open, and nothing queries the gateway about it",
            query: """
                SELECT payment.merchant_reference FROM payment LEFT JOIN work
                    ON work.kind = 'query' AND work.merchant_reference = payment.merchant_reference
                WHERE payment.state IN ('processing', 'uncertain') AND work.since IS NULL LIMIT 1
                """),
        JournalInvariant(
            violation: "an idempotency key belongs to it, and the journal does not have the payment",
            query: """
                SELECT idempotency_key.merchant_reference FROM idempotency_key LEFT JOIN payment
                    ON payment.merchant_reference = idempotency_key.merchant_reference
                WHERE payment.version IS NULL LIMIT 1
                """),
        JournalInvariant(
            violation: "the books have a movement without its entry of the history",
            query: """
                SELECT movement.merchant_reference FROM movement LEFT JOIN history
                    ON history.merchant_reference = movement.merchant_reference AND history.number = movement.entry
                LEFT JOIN payment ON payment.merchant_reference = movement.merchant_reference
                WHERE (history.number IS NULL OR history.at <> movement.at)
                    AND NOT movement.entry BETWEEN 1 AND coalesce(payment.archived, 0)
                LIMIT 1
                """),
        JournalInvariant(
            violation: "more was captured or refunded than the books have",
            query: """
                SELECT payment.merchant_reference FROM payment LEFT JOIN (
                    SELECT merchant_reference, sum(CASE kind WHEN 1 THEN amount ELSE 0 END) AS charged,
                        sum(CASE kind WHEN 2 THEN amount ELSE 0 END) AS refunded
                    FROM movement WHERE amount BETWEEN 1 AND \(MinorUnits.limit) GROUP BY merchant_reference
                ) AS moved ON moved.merchant_reference = payment.merchant_reference
                WHERE payment.captured > coalesce(moved.charged, 0) OR payment.refunded > coalesce(moved.refunded, 0)
                LIMIT 1
                """),
    ]

    /// Returns the reference of a payment that violates the condition; `nil` if none does, and empty if the reference
    /// cannot be read.
    public func violator(in session: any TableSession) throws -> String? {
        try session.answer(to: session.dialect.written(query)).rows.first?.reference
    }
}
