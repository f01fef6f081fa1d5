import FoundationEssentials
import PayrelayPrimitives

/// Outcome of a capture, a void or a refund.
///
/// An operation is proven by the processor's answer to it, or by its totals: captures and refunds only add up. R10 holds here too: an
/// operation without a verified answer is `uncertain`.
extension Payment {
    /// Its lease may have expired meanwhile, so that it is uncertain. A verified answer counts all the same.
    ///
    /// - Parameter sent: as it was when it was sent.
    func afterOperation(
        _ report: Outcome<ProcessorAnswer>, to sent: PaymentOperation, at moment: Date
    ) -> PaymentDecision {
        guard let open = openOperation, open.isSame(as: sent) else { return withoutChange }
        switch (open.state, report) {
        case (.processing, .notSent(let reason)): return .record(dropping(open, reason: reason, at: moment))
        case (.processing, .unknown(let reason)):
            return .record(ending(open, as: .uncertain, reason: reason, at: moment))
        case (_, .answered(let answer)):
            let reason = answer.meaning.openReason
            switch answer.meaning {
            case open.command.success: return finishing(open, provenBy: answer, at: moment)
            case .declined: return .record(ending(open, as: .declined, provenBy: answer, at: moment))
            case .pending where open.state != .pending:
                return .record(ending(open, as: .pending, provenBy: answer, reason: reason, at: moment))
            case .duplicate where open.state == .processing, .notFound where open.state == .processing,
                .authorized where open.state == .processing, .captured where open.state == .processing,
                .voided where open.state == .processing, .refunded where open.state == .processing:
                return .record(ending(open, as: .uncertain, provenBy: answer, reason: reason, at: moment))
            default: return withoutChange
            }
        case (_, .notSent), (_, .unknown): return withoutChange
        }
    }

    /// The processor's answer about a payment with an open operation.
    ///
    /// - Parameter isFinal: whether its totals had the time to show the operation.
    func afterQuery(
        _ answer: ProcessorAnswer, about open: PaymentOperation, isFinal: Bool, at moment: Date
    ) -> PaymentDecision {
        guard [.uncertain, .pending].contains(open.state) else { return withoutChange }
        guard !isAboutAnotherCharge(answer) else {
            return .stillOpen(reason: "the processor answers about another charge of the reference")
        }
        guard let isDone = answer.shows(open, amount: amount) else {
            return .stillOpen(reason: answer.meaning.openReason)
        }
        if isDone { return finishing(open, provenBy: answer, at: moment) }
        guard isFinal else { return .stillOpen(reason: "the processor's totals do not show it yet") }
        var after = self
        after.balance = balance.forward(to: answer.moved ?? balance)
        if after.balance != open.before { after.state = after.balance.state(of: amount) }
        // There was no hold any more to capture: as ``adopting(_:at:)`` has it.
        if answer.meaning == .voided, state == .authorized, after.balance.captured == .zero { after.state = .voided }
        return .record(ending(open, as: .notProcessed, leaving: after, provenBy: answer, at: moment))
    }

    private func finishing(
        _ open: PaymentOperation, provenBy answer: ProcessorAnswer, at moment: Date
    ) -> PaymentDecision {
        guard let done = open.after else { return .stillOpen(reason: "the operation is about more than can be") }
        var after = self
        after.balance = done.forward(to: answer.moved ?? done)
        let isVoid = open.command == .voidAuthorization && after.balance.captured == .zero
        after.state = isVoid ? .voided : after.balance.state(of: amount)
        return .record(ending(open, as: .done, leaving: after, provenBy: answer, at: moment))
    }
}

extension OperationCommand {
    /// Meaning of an answer that confirms the operation.
    var success: ProcessorAnswer.Meaning {
        switch self {
        case .capture: .captured
        case .voidAuthorization: .voided
        case .refund: .refunded
        }
    }
}

extension ProcessorAnswer {
    /// Whether an answer to a question shows that an operation was done; nil if it proves neither.
    ///
    /// - Parameter authorized: the payment's amount.
    fileprivate func shows(_ open: PaymentOperation, amount authorized: MinorUnits) -> Bool? {
        guard let after = open.after else { return nil }
        switch (open.command, meaning) {
        case (.voidAuthorization, .voided): return true
        case (.voidAuthorization, .authorized), (.voidAuthorization, .captured), (.voidAuthorization, .refunded):
            return false
        case (.capture, .authorized):
            // A state without money and a total with money contradict each other.
            return moved?.captured ?? .zero > open.before.captured ? nil : false
        // The rest of the hold was lifted. Without a total nothing was captured beside it.
        case (.capture, .voided): return moved?.captured ?? .zero >= after.captured
        case (.capture, .captured), (.capture, .refunded):
            if let moved { return moved.captured >= after.captured }
            return after.captured == authorized && open.before.captured == .zero ? true : nil
        case (.refund, .voided) where !showsMoney: return nil
        case (.refund, .refunded), (.refund, .captured), (.refund, .voided):
            if let totals { return totals.refunded >= after.refunded }
            guard open.before.refunded == .zero else { return nil }
            return meaning != .refunded ? false : after.refunded == after.captured ? true : nil
        default: return nil
        }
    }
}
