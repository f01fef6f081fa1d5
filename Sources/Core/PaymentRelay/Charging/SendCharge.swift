import PayrelayPrimitives

/// A charge is never sent twice. Three things keep that, each decided in one place:
///
/// - An order, its token and its idempotency key are claimed durably by one request before anything is sent (`CommitObstacle.swift`).
/// - The request that holds the claim calls ``PreparedCharge/send()`` once, here, and only before the lease of the claim can expire. If a
///   charge gets no answer, the gateway is queried (CHECK_STATUS); the charge is not sent again.
/// - Under `send()`, the HTTP client makes one attempt and does not repeat a request by itself.
extension PaymentRelay {
    /// Sends the charge of a claimed payment.
    ///
    /// - Parameter deadline: the time limit of the client's answer.
    /// - Returns: the gateway's report; or that nothing was sent, if the client was answered so already, or if the answer may come only
    ///   after the lease of the payment has expired and another instance may have taken it over.
    @inline(never) func chargeOnce(
        _ request: PaymentRequest, for payment: Payment, within deadline: AnswerDeadline
    ) async -> Outcome<GatewayAnswer> {
        guard maySend(payment, within: deadline) else {
            return .notSent(reason: "recording the payment took too long")
        }
        return await request.charge.send()
    }

    // Not inlined, as the steps in `PaymentRelay.swift`.
    @inline(never) private func maySend(_ payment: Payment, within deadline: AnswerDeadline) -> Bool {
        deadline.claimed(payment)
            && now() + gateways.longestExchange(of: payment.gateway) <= payment.lease.expiresAt
    }
}
