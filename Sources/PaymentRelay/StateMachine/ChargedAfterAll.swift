/// What a verified answer says of a payment whose outcome was known. Money that was taken is recorded in whatever state the payment
/// is: the processor may be slow, it may take two tries of one reference, and a merchant may pay through it directly.
extension PaymentStateMachine {
    mutating func examine(_ answer: ProcessorAnswer) -> Outcome {
        switch state {
        case .authorized, .partiallyCaptured, .captured, .partiallyRefunded, .refunded:
            if isAboutAnotherCharge(answer) { return secondCharge(in: answer).map { .record($0) } ?? .unchanged }
            return adopt(answer).map { .record($0) } ?? .unchanged
        case .notSent, .declined, .notProcessed, .voided:
            guard isChargedAfterAll(by: answer), let charged = settle(by: answer, reason: state.chargedAfterAll) else {
                return .unchanged
            }
            return .record(charged)
        case .processing, .uncertain: return withoutChange
        }
    }

    private func isChargedAfterAll(by answer: ProcessorAnswer) -> Bool {
        switch answer.meaning {
        case .captured, .refunded: true
        // Right after a void the processor may still answer with what was before it.
        case .authorized, .voided: state != .voided
        case .declined, .pending, .duplicate, .notFound: false
        }
    }

    /// Whether it names another charge than the known one. What it says is then not said of the payment, and its totals are not the
    /// payment's.
    func isAboutAnotherCharge(_ answer: ProcessorAnswer) -> Bool {
        guard let processorReference, let other = answer.reference else { return false }
        return other != processorReference
    }

    /// Nil where nothing was charged a second time.
    private func secondCharge(in answer: ProcessorAnswer) -> Transition? {
        guard let known = processorReference, let other = answer.reference,
            [.authorized, .captured, .refunded].contains(answer.meaning)
        else { return nil }
        return .secondCharge(provenBy: answer, reason: "the processor has a second charge, \(other), beside \(known)")
    }
}

extension PaymentState {
    /// Why a payment in this state becomes one with money.
    fileprivate var chargedAfterAll: String {
        switch self {
        case .notProcessed: "the request reached the processor after all"
        case .notSent: "nothing was sent from here, and the processor was paid all the same"
        default: "it was \(rawValue), and the processor has charged it after all"
        }
    }
}
