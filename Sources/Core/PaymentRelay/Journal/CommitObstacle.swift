import PayrelayPrimitives

/// How the commit of a change ended.
public enum CommitResult: Sendable, Equatable {
    /// The change is durable.
    case written
    /// The payment is no longer the one that was read: it has another version or claim, or is gone. It is also the
    /// result if a claim would replace an archived payment.
    case versionChanged
    /// The change needs a free reference, and this payment has it.
    indirect case referenceTaken(Payment)
    /// The change needs a free reference, and a payment whose record cannot be read has it.
    indirect case recordUnreadable(UnreadableRecord)
    /// The token already pays another order.
    case tokenTaken
    /// The idempotency key already belongs to another request.
    case keyTaken
}

/// The rules that forbid a change, decided here for every journal.
///
/// R1, R2: a reference belongs to one request. R13: a token pays one order. An idempotency key belongs to one
/// request (``KeyUse``).
///
/// A journal looks up the change's reference, key and token, and calls
/// ``Change/obstacle(known:keyUse:isTokenUsed:)``. The journal makes the look-up and the write one step, with a
/// transaction or with unique constraints.
extension Change {
    /// Returns the obstacle to the change; `nil` if the change is to be written. The first of these rules that
    /// applies decides:
    ///
    /// 1. The payment under the reference cannot be read.
    /// 2. The payment is no longer the one that was read: it has another version, or belongs to another claim. A
    ///    failover may lose a claim, and the next claim of the reference begins with the same version. Archiving a
    ///    payment does not change its version, and forbids only a claim.
    /// 3. The key belongs to another request. A request that repeats the charge has the charge's key, and gets the
    ///    payment by rule 4.
    /// 4. The change needs a free reference, and a payment has it.
    /// 5. Another payment holds the token.
    ///
    /// - Parameters:
    ///   - known: the payment under the change's reference, if any, or the reason why it cannot be read.
    ///   - keyUse: returns what an idempotency key belongs to. It is called only if the change takes a key.
    ///   - isTokenUsed: returns whether a payment holds the change's token. It is called only if the change takes a
    ///     token and nothing else forbids the change.
    public func obstacle<Failure: Error>(
        known: Result<Payment, UnreadableRecord>?, keyUse: (_ key: String) throws(Failure) -> KeyUse?,
        isTokenUsed: () throws(Failure) -> Bool
    ) throws(Failure) -> CommitResult? {
        if case .failure(let record)? = known { return .recordUnreadable(record) }
        let known = try? known?.get()
        if let before {
            guard let known, known.isSameClaim(as: before), known.version == before.version,
                claimed == nil || known.archivedVersion == nil
            else { return .versionChanged }
        }
        if case .taken(let key, _)? = keyChange, let use = try keyUse(key),
            before != nil || known == nil || use != KeyUse(of: after.merchantReference)
        {
            return .keyTaken
        }
        if before == nil, let known { return .referenceTaken(known) }
        if claimed?.token != nil, try isTokenUsed() { return .tokenTaken }
        return nil
    }
}

extension Journal {
    /// Commits a claim, if the reference is free or belongs to a payment that can be claimed again
    /// (``Payment/canBeClaimedAgain(by:)``). The claim then replaces that payment.
    ///
    /// ```swift
    /// let (result, claim) = try await journal.commit(claim: claim)
    /// guard result == .written else { refuse(result) }  // nothing was written
    /// answer = await charge.send()  // the claim is on the disk
    /// ```
    ///
    /// - Returns: the result, and the claim as it was committed last. Its ``Change/before`` is the payment that it
    ///   replaces.
    public func commit(claim: Change) async throws(JournalError) -> (result: CommitResult, claim: Change) {
        var attempt = claim
        // Each further attempt means that the obstacle has changed in the meantime.
        for _ in 0...PaymentRelay.attempts {
            let result = try await commit(attempt)
            switch result {
            case .referenceTaken(let known) where known.canBeClaimedAgain(by: claim): attempt = claim.following(known)
            case .versionChanged: attempt = claim
            default: return (result, attempt)
            }
        }
        throw .contended
    }
}

extension Payment {
    /// Whether the payment's reference can be claimed again. All of these conditions must hold:
    ///
    /// 1. The payment is not archived. An archived payment keeps its reference for ever.
    /// 2. No operation on the payment is open. After another claim, nothing would query the gateway about the
    ///    operation.
    /// 3. A payment made here was not sent, and belongs to the client that claims it, because its history is that
    ///    client's.
    /// 4. An external payment was declined, or belongs to another account than the claim. References are unique
    ///    only within an account, and an external attempt must not keep an order from being paid.
    public func canBeClaimedAgain(by claim: Change) -> Bool {
        guard archivedVersion == nil, openOperation == nil else { return false }
        return isMadeElsewhere
            ? !hasAccount(of: claim.after) || state == .declined
            : state == .notSent && client == claim.after.client
    }
}

extension PaymentState {
    /// Whether a payment that reaches this state gives up its token and its idempotency key: nothing was sent with
    /// them.
    public var freesTokenAndKey: Bool { self == .notSent }
}
