/// What becomes of a charge.
///
/// R10: a timeout is uncertain, never failed. It is decided here, in ``PaymentStateMachine/afterCharge(_:)``: whatever
/// is no verified answer, from a timeout to a wrong signature, arrives as ``ProcessorReport/unanswered(reason:)`` and
/// makes the payment `uncertain`. The processor's room decides only whether a request may have left the process.
extension PaymentStateMachine {
    /// The charge was sent, or was not, and this is what is known of it.
    mutating func afterCharge(_ report: ProcessorReport) -> Outcome {
        guard state == .processing, operation == nil else { return withoutChange }
        switch report {
        case .notSent(let reason): return .record(become(.notSent, reason: reason))
        case .unanswered(let reason): return .record(become(.uncertain, reason: reason))
        case .answered(let answer):
            return .record(
                settle(by: answer) ?? become(.uncertain, provenBy: answer, reason: answer.meaning.openReason))
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
        case .notProcessed: return correct(by: answer)
        case .authorized, .partiallyCaptured, .captured, .partiallyRefunded, .refunded, .voided:
            return adopt(answer).map { .record($0) } ?? .unchanged
        case .notSent, .declined: return .unchanged
        }
    }

    /// A notification for a payment that is open, or of which the processor said that it has no such order.
    mutating func applyToCharge(_ notification: ProcessorNotification) -> Outcome {
        guard notification.isAboutCharge else { return withoutChange }
        if state == .notProcessed { return correct(by: notification.answer) }
        return settle(by: notification.answer).map { .record($0) }
            ?? .stillOpen(reason: notification.answer.meaning.openReason)
    }

    /// Nil where the answer settles nothing.
    mutating func settle(by answer: ProcessorAnswer, reason: String? = nil) -> Transition? {
        switch answer.meaning {
        case .declined: return become(.declined, provenBy: answer, reason: reason)
        case .voided: return become(.voided, provenBy: answer, reason: reason)
        case .authorized: balance = Balance()
        case .captured: balance = answer.totals ?? Balance(captured: answer.captured ?? amount)
        case .refunded: balance = answer.totals ?? Balance(captured: amount, refunded: amount)
        case .pending, .duplicate, .notFound: return nil
        }
        return become(balance.state(of: amount), provenBy: answer, reason: reason)
    }

    /// The processor said that it has no such order, and proves now that it has.
    private mutating func correct(by answer: ProcessorAnswer) -> Outcome {
        guard answer.meaning != .declined,
            let settled = settle(by: answer, reason: "the request reached the processor after all")
        else { return .unchanged }
        return .record(settled)
    }
}
