import FoundationEssentials
import PayrelayPrimitives

/// Outcome of a charge.
///
/// R10: a timeout is uncertain, never failed. ``Payment/afterCharge(_:at:)`` decides it: anything but a verified
/// answer, from a timeout to a wrong signature, arrives as `unknown` and makes the payment `uncertain`. The processor's
/// module decides only whether a request may have left the process.
extension Payment {
    /// The payment may have gone on meanwhile: its lease expired, and it was asked about. A verified answer counts all the same.
    func afterCharge(_ report: Outcome<ProcessorAnswer>, at moment: Date) -> PaymentDecision {
        guard openOperation == nil else { return withoutChange }
        switch (state, report) {
        case (.processing, .notSent(let reason)): return .record(becoming(.notSent, reason: reason, at: moment))
        case (.processing, .unknown(let reason)): return .record(becoming(.uncertain, reason: reason, at: moment))
        case (.processing, .answered(let answer)):
            return .record(
                settled(by: answer, at: moment)
                    ?? becoming(.uncertain, provenBy: answer, reason: answer.meaning.openReason, at: moment))
        case (.uncertain, .answered(let answer)):
            return settled(by: answer, at: moment).map { .record($0) } ?? stayingUncertain(after: answer, at: moment)
        case (_, .answered(let answer)): return examine(answer, at: moment)
        case (_, .notSent), (_, .unknown): return withoutChange
        }
    }

    /// The processor's answer about a payment without an open operation.
    ///
    /// - Parameter isFinal: whether it had the time to find the charge.
    func afterQuery(_ answer: ProcessorAnswer, isFinal: Bool, at moment: Date) -> PaymentDecision {
        switch state {
        case .processing: return withoutChange
        case .uncertain:
            if mayBeOfEarlierTry(answer), !isFinal {
                return .stillOpen(reason: "the processor may tell of an earlier try")
            }
            if let settled = settled(by: answer, at: moment) { return .record(settled) }
            if answer.meaning == .notFound, isFinal {
                return .record(becoming(.notProcessed, provenBy: answer, at: moment))
            }
            return stayingUncertain(after: answer, at: moment)
        case .notSent, .authorized, .partiallyCaptured, .captured, .declined, .voided, .partiallyRefunded, .refunded,
            .notProcessed:
            return examine(answer, at: moment)
        }
    }

    /// Whether it says that nothing was taken, and is not known to say so of this charge: an earlier try of the reference may have come to
    /// that, and the charge be on its way.
    private func mayBeOfEarlierTry(_ answer: ProcessorAnswer) -> Bool {
        [.declined, .voided].contains(answer.meaning) && !answer.showsMoney
            && (processorReference == nil || isAboutAnotherCharge(answer))
    }

    /// After an answer that settles nothing. The first that names the charge is recorded: what the processor had is waited for longer.
    private func stayingUncertain(after answer: ProcessorAnswer, at moment: Date) -> PaymentDecision {
        let reason = answer.meaning.openReason
        guard processorReference == nil, answer.reference != nil, answer.meaning != .notFound else {
            return .stillOpen(reason: reason)
        }
        return .record(becoming(.uncertain, provenBy: answer, reason: reason, at: moment))
    }

    /// Nil where the answer settles nothing.
    func settled(by answer: ProcessorAnswer, reason: String? = nil, at moment: Date) -> PaymentChange? {
        let proven: Balance
        switch answer.meaning {
        case .declined: return becoming(.declined, provenBy: answer, reason: reason, at: moment)
        case .voided where !answer.showsMoney:
            return becoming(.voided, provenBy: answer, reason: reason, at: moment)
        // The rest of the hold was lifted.
        case .voided: proven = answer.moved ?? balance
        case .authorized: proven = balance
        case .captured: proven = answer.moved ?? Balance(captured: amount)
        case .refunded: proven = answer.totals ?? Balance(captured: amount, refunded: amount)
        case .pending, .duplicate, .notFound: return nil
        }
        return holding(balance.forward(to: proven), provenBy: answer, reason: reason, at: moment)
    }
}
