import PaymentRelay

extension PostgresJournal {
    /// What keeps a claim from being written.
    enum Obstacle {
        case final(ClaimResult)
        /// A payment under the same reference that may be claimed anew.
        case claimable
        case gone
    }

    func obstacle(to claim: Claim) async throws -> Obstacle {
        let rows = try await run(
            .obstacles,
            [.text(claim.payment.merchantReference), .bytes(claim.token.bytes), .text(claim.idempotencyKey)]
        ).rows
        var obstacles: [String: PostgresRow] = [:]
        for row in rows { obstacles[try row.text("obstacle")] = row }
        let payment: Payment?
        do {
            payment = try obstacles["reference"].map(Payment.init(row:))
        } catch let record as UnreadableRecord {
            onUnreadable(record)
            return .final(.recordUnreadable(record))
        }
        if let payment, !payment.canBeClaimedAnew(by: claim) { return .final(.referenceTaken(payment)) }
        if obstacles["token"] != nil { return .final(.tokenTaken) }
        if obstacles["key"] != nil { return .final(.idempotencyKeyTaken) }
        return payment == nil ? .gone : .claimable
    }

    /// False where another claim was faster, of the reference, the token or the key.
    func reclaim(_ claim: Claim) async throws(PostgresError) -> Bool {
        do {
            return try await run(.reclaim, claim.values).count == 1
        } catch {
            guard error.violatedUniqueness else { throw error }
            return false
        }
    }
}

extension Claim {
    /// The parameters of ``PostgresStatement/claim`` and ``PostgresStatement/reclaim``.
    var values: [PostgresValue] {
        [
            .text(payment.merchantReference), .text(payment.state.rawValue), .text(payment.command.rawValue),
            .integer(payment.amount.value), .text(payment.currency), .bytes(payment.fingerprint?.bytes ?? []),
            .bytes(token.bytes), .text(idempotencyKey), .text(payment.appleTransactionIdentifier ?? ""),
            .moment(payment.claimedAt), .integer(payment.lease.number), .moment(payment.lease.expiresAt),
            .moment(entry.at), .text(entry.state.rawValue), .words(entry.reason), .text(entry.requestIdentifier),
            .text(payment.account), .text(payment.client),
        ]
    }
}
