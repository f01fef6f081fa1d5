import PayrelayPrimitives

/// A charge is never sent twice. Three things keep that, each decided in one place:
///
/// - An order, its token and its idempotency key are claimed durably by one request before anything is sent (`CommitObstacle.swift`).
/// - The claim's holder calls ``PreparedCharge/send()`` once, here, and only while the claim is certainly its own. What became
///   of a charge without an answer is asked (CHECK_STATUS); the charge is not sent again.
/// - Under `send()`, the HTTP client makes one attempt and does not repeat a request by itself.
extension PaymentRelay {
    /// Sends the charge of a claimed payment.
    ///
    /// - Parameter deadline: of the client's answer; nil where it waits.
    /// - Returns: that nothing was sent, where the client was answered so already, or where the answer may come when the
    ///   payment's lease has expired and another instance may take it over.
    @inline(never) func chargeOnce(
        _ request: PaymentRequest, for payment: Payment, within deadline: AnswerDeadline?
    ) async -> Outcome<GatewayAnswer> {
        guard maySend(payment, within: deadline) else {
            return .notSent(reason: "recording the payment took too long")
        }
        return await request.charge.send()
    }

    // Not inlined, as the steps in `PaymentRelay.swift`.
    @inline(never) private func maySend(_ payment: Payment, within deadline: AnswerDeadline?) -> Bool {
        deadline?.claimed(payment) ?? true
            && now() + gateways.longestExchange(of: payment.gateway) <= payment.lease.expiresAt
    }
}
