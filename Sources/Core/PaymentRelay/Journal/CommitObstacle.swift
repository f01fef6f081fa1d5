import PayrelayPrimitives

/// How the commit of a change ended.
public enum CommitResult: Sendable, Equatable {
    /// The change is durable.
    case written
    /// The payment is no longer as it was read: it has another version, or is gone. A claim does not replace an archived payment either.
    case versionChanged
    /// The reference was to be free, and this payment has it.
    indirect case referenceTaken(Payment)
    /// The reference was to be free, and a payment has it whose record cannot be read.
    indirect case recordUnreadable(UnreadableRecord)
    /// The token already pays another order.
    case tokenTaken
    /// The idempotency key already belongs to another request.
    case keyTaken
}

/// What forbids a change, decided here for every journal.
///
/// R1, R2: a reference belongs to one request. R13: a token pays one order. An idempotency key belongs to one request
/// (``KeyUse``). A journal looks up what it has under the three and calls ``Change/obstacle(known:keyUse:isTokenUsed:)``. The journal
/// itself makes the look-up and the write one step, by a transaction or by unique constraints.
extension Change {
    /// Returns what forbids the change; `nil` if the change is to be written. The first of these rules that applies decides:
    ///
    /// 1. The payment under the reference cannot be read.
    /// 2. The payment is no longer as it was read: it has another version, or is of another claim. A failover may lose a claim, and the
    ///    next claim of the reference begins with the same version. To be archived changes no version, and forbids a claim only.
    /// 3. The key belongs to another request. A request that repeats the charge has the charge's key: it gets the payment.
    /// 4. The reference was to be free, and a payment has it.
    /// 5. Another payment holds the token.
    ///
    /// - Parameters:
    ///   - known: the payment under the change's reference, if any, or the reason why it cannot be read.
    ///   - keyUse: returns what an idempotency key belongs to. Called only if the change takes a key.
    ///   - isTokenUsed: returns whether a payment holds the change's token. Called only if the change takes a token, and nothing else
    ///     forbids the change.
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
    /// Commits a claim: where the reference is free, or in the place of a payment that can be claimed again
    /// (``Payment/canBeClaimedAgain(by:)``).
    ///
    /// ```swift
    /// let (result, claim) = try await journal.commit(claim: claim)
    /// guard result == .written else { refuse(result) }  // nothing was written
    /// answer = await charge.send()  // the claim is on the disk
    /// ```
    ///
    /// - Returns: how it ended, and the claim as it was committed last: ``Change/before`` is the payment whose place it takes.
    public func commit(claim: Change) async throws(JournalError) -> (result: CommitResult, claim: Change) {
        let result = try await commit(claim)
        switch result {
        case .referenceTaken(let known) where known.canBeClaimedAgain(by: claim):
            return try await commit(claim.following(known), orAgain: claim)
        case .versionChanged: return try await commit(claim, orAgain: claim)
        default: return (result, claim)
        }
    }

    // Not inlined: what it needs would have its place in the frame of every claim.
    @inline(never) private func commit(
        _ attempt: Change, orAgain claim: Change
    ) async throws(JournalError) -> (result: CommitResult, claim: Change) {
        var attempt = attempt
        // Each further attempt means that what stood in the way has changed in between.
        for _ in 0..<PaymentRelay.attempts {
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
    /// Whether its reference can be claimed again. All of these have to hold:
    ///
    /// 1. The payment is not archived: then the reference is taken for ever.
    /// 2. No operation on it is open: after another claim, nothing would query the gateway about the operation.
    /// 3. Nothing was sent, and the claim is the same client's, whose history it is. Or the payment is external, and was declined or is
    ///    another account's than the claim's: references are each account's own, and what was tried elsewhere must not keep an order from
    ///    being paid.
    public func canBeClaimedAgain(by claim: Change) -> Bool {
        guard archivedVersion == nil, openOperation == nil else { return false }
        return isMadeElsewhere
            ? !hasAccount(of: claim.after) || state == .declined
            : state == .notSent && client == claim.after.client
    }
}

extension PaymentState {
    /// Whether a payment that comes to this state gives up its token and its idempotency key: nothing was sent with
    /// them.
    public var freesTokenAndKey: Bool { self == .notSent }
}
