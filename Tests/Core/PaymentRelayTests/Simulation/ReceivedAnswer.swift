import PaymentRelay

/// The answer that one client received, and the time of its request.
struct ReceivedAnswer: Sendable {
    let attempt: String
    let reference: String
    let fingerprint: RequestFingerprint
    let asked: Duration
    let at: Duration
    let answer: Result<Payment, PaymentRefusal>
    /// The payment's history, read right after the answer, or `nil` if it could not be read.
    let history: [HistoryEntry]?

    /// The payment, if the answer was final.
    var settled: Payment? {
        guard case .success(let payment) = answer, payment.state.isSettled else { return nil }
        return payment
    }

    /// The reason for which nothing was charged, if the answer was a refusal.
    var refusal: PaymentRefusal? {
        guard case .failure(let refusal) = answer else { return nil }
        return refusal
    }
}

extension PaymentState {
    /// Whether the state is final. `not_sent` is neither open nor final: the reference may be claimed again.
    var isSettled: Bool { !isOpen && self != .notSent }
}
