import PaymentRelay

/// What one client was answered, and when it had asked.
struct ReceivedAnswer: Sendable {
    let attempt: String
    let reference: String
    let fingerprint: RequestFingerprint
    let asked: Duration
    let at: Duration
    let answer: Result<Payment, PaymentRefusal>
    /// The payment's history, read right after the answer; nil where it could not be read.
    let history: [HistoryEntry]?

    /// The payment, where the answer was final.
    var settled: Payment? {
        guard case .success(let payment) = answer, payment.state.isSettled else { return nil }
        return payment
    }

    /// Why nothing was charged, where that was the answer.
    var refusal: PaymentRefusal? {
        guard case .failure(let refusal) = answer else { return nil }
        return refusal
    }
}

extension PaymentState {
    /// Whether it is final. `not_sent` is neither open nor final: the reference may be claimed again.
    var isSettled: Bool { !isOpen && self != .notSent }
}
