/// R3: the same request again gets the stored answer, byte for byte, and charges nothing.
extension PaymentRelay {
    /// The stored answer to a request whose reference is claimed.
    ///
    /// - Throws: ``PaymentRefusal/referenceTaken`` for another request, ``PaymentRefusal/inFlight`` while there is no answer.
    func storedAnswer(
        of known: Payment, to request: PaymentRequest, steps: StepTimes
    ) throws(PaymentRefusal) -> PaymentReply {
        guard known.fingerprint == request.fingerprint, known.client == request.client else { throw .referenceTaken }
        var known = known
        known.receipt = known.receipt ?? known.answerOfArchived
        guard let receipt = known.receipt else { throw .inFlight }
        guard Receipt.isReadable(receipt) else { throw .recordUnreadable }
        return PaymentReply(payment: known, isReplay: true, steps: steps)
    }

    /// Returns the stored answer to a request that cannot be charged now. A token ages while its payment stands, and an account may not be
    /// verified since the last start: the same request again gets its stored answer all the same.
    ///
    /// - Throws: `refusal` if the request was not made before, ``PaymentRefusal/idempotencyKeyTaken`` if its key belongs to another
    ///   request.
    func storedAnswer(
        to request: PaymentRequest, orRefuse refusal: PaymentRefusal, steps: StepTimes
    ) async throws(PaymentRefusal) -> PaymentReply {
        let known: Payment?
        let use: KeyUse?
        do throws(JournalError) {
            known = try await journal.payment(request.order.merchantReference)
            use = try await keyUse(request.journaledKey)
        } catch {
            if case .unreadable = error { throw .recordUnreadable }
            throw .journalUnavailable(reason: "the journal could not be read")
        }
        guard let known, known.state != .notSent, known.fingerprint == request.fingerprint else {
            throw refusal
        }
        if let use, use != KeyUse(of: known.merchantReference) { throw .idempotencyKeyTaken }
        return try storedAnswer(of: known, to: request, steps: steps)
    }

    /// Returns what a key belongs to; `nil` if it is free, or there is no key.
    func keyUse(_ journaledKey: String?) async throws(JournalError) -> KeyUse? {
        guard let journaledKey else { return nil }
        return try await journal.use(ofKey: journaledKey)
    }
}
