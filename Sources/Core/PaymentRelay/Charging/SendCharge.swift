import PayrelayPrimitives

/// A charge is never sent twice. Three rules ensure this, each decided in one place:
///
/// - Before anything is sent, one request durably claims an order, its token and its idempotency key
///   (`CommitObstacle.swift`).
/// - The request that holds the claim calls ``PreparedCharge/send()`` once, here, and only if the answer must
///   arrive before the claim's lease expires. If a charge gets no answer, the gateway is queried (CHECK_STATUS);
///   the charge is not sent again.
/// - Under `send()`, the HTTP client makes one attempt and does not repeat a request by itself.
extension PaymentRelay {
    /// Sends the charge of a claimed payment.
    ///
    /// - Parameter deadline: the time limit of the client's answer.
    /// - Returns: the gateway's report, or that nothing was sent. Nothing is sent if the client has already been
    ///   answered so. Nothing is sent either if the lease of the payment could expire before the gateway's answer,
    ///   because another instance could then take the payment over.
    @inline(never) func chargeOnce(
        _ request: PaymentRequest, for payment: Payment, within deadline: AnswerDeadline
    ) async -> Outcome<GatewayAnswer> {
        guard maySend(payment, within: deadline) else {
            return .notSent(reason: "recording the payment took too long")
        }
        return await request.charge.send()
    }

    // Not inlined, for the same reason as the steps in `PaymentRelay.swift`.
    @inline(never) private func maySend(_ payment: Payment, within deadline: AnswerDeadline) -> Bool {
        deadline.claimed(payment)
            && now() + gateways.longestExchange(of: payment.gateway) <= payment.lease.expiresAt
    }
}
