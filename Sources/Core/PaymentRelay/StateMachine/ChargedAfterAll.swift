import FoundationEssentials

/// Verified answers about payments whose outcome was already known. A charge is recorded in any state of the payment:
/// the processor may be slow, it may accept two tries of one reference, and a merchant may charge with it directly.
extension Payment {
    func examine(_ answer: ProcessorAnswer, at moment: Date) -> PaymentDecision {
        switch state {
        case .authorized, .partiallyCaptured, .captured, .partiallyRefunded, .refunded:
            let change =
                isAboutAnotherCharge(answer) ? secondCharge(in: answer, at: moment) : adopting(answer, at: moment)
            return change.map { .record($0) } ?? .unchanged
        case .notSent, .declined, .notProcessed, .voided:
            guard isChargedAfterAll(by: answer) else { return .unchanged }
            let settled = asProven(by: answer).settled(by: answer, reason: state.chargedAfterAll, at: moment)
            return settled.map { .record($0) } ?? .unchanged
        case .processing, .uncertain: return withoutChange
        }
    }

    private func isChargedAfterAll(by answer: ProcessorAnswer) -> Bool {
        switch answer.meaning {
        case .captured, .refunded: true
        // Right after a void the processor may still answer with what was before it.
        case .authorized: state != .voided
        case .voided: state != .voided || answer.showsMoney
        case .declined, .pending, .duplicate, .notFound: false
        }
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
