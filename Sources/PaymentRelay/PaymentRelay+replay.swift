import ApplePayToken

extension PaymentRelay {
    /// The stored answer to a request that comes again, or why there is none.
    func replay(
        _ known: Payment, to request: PaymentRequest, steps: StepTimes
    ) throws(PaymentRefusal) -> PaymentResult {
        guard known.fingerprint == request.fingerprint, known.client == request.client else { throw .referenceTaken }
        guard let receipt = known.receipt else { throw .inFlight }
        guard Receipt.isReadable(receipt) else { throw .recordUnreadable }
        return PaymentResult(payment: known, isReplay: true, steps: steps)
    }

    /// A token ages while its payment stands: the same request again gets its stored answer even when the token would be
    /// refused by now.
    func replay(
        _ request: PaymentRequest, orRefuse refusal: TokenVerification, steps: StepTimes
    ) async throws(PaymentRefusal) -> PaymentResult {
        let known: Payment?
        do {
            known = try await journal.payment(request.order.merchantReference)
        } catch is UnreadableRecord {
            throw .recordUnreadable
        } catch {
            throw .journalUnavailable(reason: "the journal could not be read")
        }
        guard let known, known.state != .notSent, known.fingerprint == request.fingerprint else {
            throw .tokenRefused(refusal)
        }
        return try replay(known, to: request, steps: steps)
    }
}
