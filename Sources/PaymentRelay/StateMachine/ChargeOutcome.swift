/// What becomes of a charge.
///
/// R10: a timeout is uncertain, never failed. It is decided here, in ``PaymentStateMachine/afterCharge(_:)``: whatever
/// is no verified answer, from a timeout to a wrong signature, arrives as ``ProcessorReport/unanswered(reason:)`` and
/// makes the payment `uncertain`. The processor's room decides only whether a request may have left the process.
extension PaymentStateMachine {
    /// The charge was sent, or was not, and this is what is known of it.
    ///
    /// The payment may have gone on meanwhile: its lease expired, and it was asked about. A verified answer counts all the same.
    mutating func afterCharge(_ report: ProcessorReport) -> Outcome {
        guard operation == nil else { return withoutChange }
        switch (state, report) {
        case (.processing, .notSent(let reason)): return .record(become(.notSent, reason: reason))
        case (.processing, .unanswered(let reason)): return .record(become(.uncertain, reason: reason))
        case (.processing, .answered(let answer)):
            return .record(
                settle(by: answer) ?? become(.uncertain, provenBy: answer, reason: answer.meaning.openReason))
        case (.uncertain, .answered(let answer)): return settle(by: answer).map { .record($0) } ?? withoutChange
        case (_, .answered(let answer)): return examine(answer)
        case (_, .notSent), (_, .unanswered): return withoutChange
        }
    }

    /// The processor's answer about a payment without an open operation.
    mutating func afterStatus(_ answer: ProcessorAnswer, timeUncertain: Duration) -> Outcome {
        switch state {
        case .processing: return withoutChange
        case .uncertain:
            if let settled = settle(by: answer) { return .record(settled) }
            if answer.meaning == .notFound, isNotFoundFinal(after: timeUncertain) {
                return .record(become(.notProcessed, provenBy: answer))
            }
            return .stillOpen(reason: answer.meaning.openReason)
        case .notSent, .authorized, .partiallyCaptured, .captured, .declined, .voided, .partiallyRefunded, .refunded,
            .notProcessed:
            return examine(answer)
        }
    }

    /// Nil where the answer settles nothing.
    mutating func settle(by answer: ProcessorAnswer, reason: String? = nil) -> Transition? {
        switch answer.meaning {
        case .declined: return become(.declined, provenBy: answer, reason: reason)
        case .voided: return become(.voided, provenBy: answer, reason: reason)
        case .authorized: break
        case .captured: balance = balance.forward(to: answer.totals ?? Balance(captured: answer.captured ?? amount))
        case .refunded: balance = balance.forward(to: answer.totals ?? Balance(captured: amount, refunded: amount))
        case .pending, .duplicate, .notFound: return nil
        }
        return become(balance.state(of: amount), provenBy: answer, reason: reason)
    }
}
