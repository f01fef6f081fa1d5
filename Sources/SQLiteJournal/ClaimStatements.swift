import FoundationEssentials
import GRDB
import PaymentRelay

/// What a claim reads and writes, in one transaction. ``Claim/conflict(with:isTokenUsed:isKeyTaken:)`` decides in between.
extension Database {
    /// The payment under a reference that is to be claimed: there is nearly always none, and GRDB reads a row's many names before
    /// it knows whether there is a row.
    func holder(of merchantReference: String) throws -> Result<Payment, UnreadableRecord>? {
        let statement = try cachedStatement(sql: "SELECT 1 FROM payment WHERE merchant_reference = ?")
        guard try Bool.fetchOne(statement, arguments: [merchantReference]) != nil else { return nil }
        do {
            return try payment(merchantReference).map { .success($0) }
        } catch let record as UnreadableRecord {
            return .failure(record)
        }
    }

    func isTaken(_ digest: TokenDigest) throws -> Bool {
        let statement = try cachedStatement(sql: "SELECT 1 FROM payment WHERE token_digest = ?")
        return try Bool.fetchOne(statement, arguments: [Data(digest.bytes)]) != nil
    }

    func isTaken(idempotencyKey: String) throws -> Bool {
        let statement = try cachedStatement(sql: "SELECT 1 FROM payment WHERE idempotency_key = ?")
        return try Bool.fetchOne(statement, arguments: [idempotencyKey]) != nil
    }

    /// Writes a claimed payment, in the place of one that was not sent where there is one.
    func put(_ claim: Claim) throws {
        let statement = try cachedStatement(
            sql: """
                INSERT INTO payment (merchant_reference, state, command, amount, currency, fingerprint, token_digest,
                    idempotency_key, apple_transaction_identifier, claimed_at, opened_at, account, client,
                    lease_number, lease_expires_at)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT (merchant_reference) DO UPDATE SET state = excluded.state, command = excluded.command,
                    amount = excluded.amount, currency = excluded.currency, fingerprint = excluded.fingerprint,
                    token_digest = excluded.token_digest, idempotency_key = excluded.idempotency_key,
                    apple_transaction_identifier = excluded.apple_transaction_identifier,
                    claimed_at = excluded.claimed_at, opened_at = excluded.opened_at, account = excluded.account,
                    client = excluded.client, captured = 0, refunded = 0, operations = NULL, holds_customer_data = 1,
                    lease_number = excluded.lease_number, lease_expires_at = excluded.lease_expires_at,
                    entries = payment.entries + 1
                """)
        let payment = claim.payment
        let claimedAt = payment.claimedAt.milliseconds
        // By place, not by name, as in all that each payment needs: GRDB would make a dictionary of them each time.
        try statement.execute(arguments: [
            payment.merchantReference, payment.state.rawValue, payment.command.rawValue, payment.amount.value,
            payment.currency, Data(payment.fingerprint?.bytes ?? []), Data(claim.token.bytes),
            claim.idempotencyKey, payment.appleTransactionIdentifier ?? "", claimedAt, claimedAt, payment.account,
            payment.client, payment.lease.number, payment.lease.expiresAt.milliseconds,
        ])
    }
}
