import PayrelayPrimitives
public import PaymentRelay

/// R7: of claims that come to several instances at once, one is written. Unique constraints decide which; what the
/// others are answered, ``Claim/conflict(with:isTokenUsed:isKeyTaken:)`` decides.
extension PostgresJournal {
    public func claim(_ claim: Claim) async throws(JournalError) -> ClaimResult {
        FailPoint.committing.reachSoon()
        // Each further attempt means that what stood in the way has changed in between.
        for _ in 0..<Self.attempts {
            if try await run(.claim, claim.values + claim.entry.keyValues + [claim.source]).count == 1 {
                return .claimed
            }
            let (known, conflict) = try await conflict(with: claim)
            if let conflict {
                if case .recordUnreadable(let record) = conflict { onUnreadable(record) }
                return conflict
            }
            if let known, try await reclaim(claim, inPlaceOf: known) { return .claimed(inPlaceOf: known) }
        }
        throw .contended
    }

    /// The payment under the claim's reference, and why the claim must not be written; both nil where what was in the
    /// way is gone.
    private func conflict(
        with claim: Claim
    ) async throws(JournalError) -> (known: Payment?, conflict: ClaimResult?) {
        let values: [PostgresValue] = [
            .text(claim.payment.merchantReference), .bytes(claim.token?.bytes), .text(claim.idempotencyKey),
        ]
        let rows = try await read(.claimHolders, values) { answer throws(UnreadableRecord) in
            var rows: [String: PostgresRow] = [:]
            for row in answer.rows { rows[try row.text("holds")] = row }
            return rows
        }
        let known = rows["reference"].map(Payment.read)
        let conflict = claim.conflict(
            with: known, isTokenUsed: { rows["token"] != nil }, isKeyTaken: { _ in rows["key"] != nil })
        return (try? known?.get(), conflict)
    }

    /// - Returns: false where another claim was faster, of the reference, the token or the key.
    private func reclaim(_ claim: Claim, inPlaceOf known: Payment) async throws(JournalError) -> Bool {
        do throws(PostgresError) {
            return try await execute(
                .reclaim,
                claim.values + [.integer(known.version), .moment(known.claimedAt)] + claim.entry.keyValues
                    + [claim.source]
            ).count == 1
        } catch {
            if error.violatedUniqueness { return false }
            throw JournalError(error)
        }
    }
}

extension Claim {
    /// The parameters of ``PostgresStatement/claim`` and ``PostgresStatement/reclaim``.
    var values: [PostgresValue] {
        [
            .text(payment.merchantReference), .text(payment.state.rawValue), .text(payment.command.rawValue),
            .integer(payment.amount.value), .text(payment.currency), .bytes(payment.fingerprint?.bytes ?? []),
            .bytes(token?.bytes), .text(idempotencyKey), .text(payment.appleTransactionIdentifier ?? ""),
            .moment(payment.claimedAt), .integer(payment.lease.number), .moment(payment.lease.expiresAt),
            .moment(entry.at), .text(entry.state.rawValue), .text(entry.storedReason), .text(entry.requestIdentifier),
            .text(payment.account), .text(payment.client),
        ]
    }

    /// Their last parameter.
    var source: PostgresValue { .text(entry.source?.text) }
}
