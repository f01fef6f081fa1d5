import PaymentRelay
import PayrelayPrimitives

/// The statements that a payment needs, and the order of their values.
enum PaymentSQL {
    /// Writes nothing where another payment has the reference, the token or the key.
    static let claim = """
        INSERT INTO payment (merchant_reference, state, command, amount, currency, fingerprint, token_digest,
            idempotency_key, apple_transaction_identifier, claimed_at, opened_at, account, client,
            lease_number, lease_expires_at)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?10, ?11, ?12, ?13, ?14)
        ON CONFLICT DO NOTHING
        """

    /// Writes a claim in the place of the payment that has its reference. The values are those of ``claim``.
    static let reclaim = """
        UPDATE payment SET state = ?2, command = ?3, amount = ?4, currency = ?5, fingerprint = ?6, token_digest = ?7,
            idempotency_key = ?8, apple_transaction_identifier = ?9, claimed_at = ?10, opened_at = ?10, account = ?11,
            client = ?12, captured = 0, refunded = 0, operations = NULL, holds_customer_data = 1, lease_number = ?13,
            lease_expires_at = ?14, entries = entries + 1
        WHERE merchant_reference = ?1
        """

    /// Takes a payment from a state to another. What does not change is not set: SQLite writes each index again that
    /// has a column which is set.
    static func transition(withEvent: Bool) -> String {
        """
        UPDATE payment SET state = ?1, captured = ?2, refunded = ?3, entries = entries + 1,
            opened_at = CASE WHEN ?4 THEN coalesce(opened_at, ?5) END
            \(withEvent ? ", " + queueEvent(if: "1", at: "?5") : "")
        WHERE merchant_reference = ?6 AND state = ?7 AND claimed_at = ?8
        """
    }

    /// What a change sets with its event, which becomes the payment's last; one that is dead-lettered is due again.
    ///
    /// - Parameters:
    ///   - hasEvent: whether the change has one.
    ///   - moment: of the change.
    static func queueEvent(if hasEvent: String, at moment: String) -> String {
        """
        events_last = CASE WHEN \(hasEvent) THEN entries + 1 ELSE events_last END,
        events_attempts = CASE WHEN \(hasEvent) AND events_due_at IS NULL THEN 0 ELSE events_attempts END,
        events_due_at = CASE WHEN \(hasEvent) THEN coalesce(events_due_at, \(moment)) ELSE events_due_at END,
        events_waiting_since =
            CASE WHEN \(hasEvent) THEN coalesce(events_waiting_since, \(moment)) ELSE events_waiting_since END
        """
    }

    /// A payment gives up its token and its key.
    static let free = "UPDATE payment SET token_digest = NULL, idempotency_key = NULL WHERE merchant_reference = ?"

    static let entry = """
        INSERT INTO history (merchant_reference, at, state, captured, refunded, reason, request_identifier, event,
            receipt, source, search_keys, number)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11,
            (SELECT entries FROM payment WHERE merchant_reference = ?1))
        """
}

extension StatementValues {
    /// The values of ``PaymentSQL/claim``.
    mutating func bind(_ claim: Claim) {
        let payment = claim.payment
        bind(payment.merchantReference)
        bind(payment.state.rawValue)
        bind(payment.command.rawValue)
        bind(payment.amount.value)
        bind(payment.currency)
        bind(payment.fingerprint?.bytes ?? [])
        bind(claim.token)
        bind(claim.idempotencyKey)
        bind(payment.appleTransactionIdentifier ?? "")
        bind(payment.claimedAt)
        bind(payment.account)
        bind(payment.client)
        bind(payment.lease.number)
        bind(payment.lease.expiresAt)
    }
}
