import PayrelayPrimitives

/// What becomes of a capture, a void or a refund.
///
/// An operation is proven by the processor's answer to it, or by its totals: captures and refunds only add up. R10 holds here too: an
/// operation without a verified answer is `uncertain`.
extension PaymentStateMachine {
    /// An operation was sent, or was not, and this is what is known of it.
    ///
    /// Its lease may have expired meanwhile, so that it is uncertain. A verified answer counts all the same.
    ///
    /// - Parameter sent: as it was when it was sent.
    mutating func afterOperation(_ report: ProcessorReport, to sent: PaymentOperation) -> Outcome {
        guard let open = operation, open.isSame(as: sent) else { return withoutChange }
        switch (open.state, report) {
        case (.processing, .notSent(let reason)): return .record(notSent(open, reason: reason))
        case (.processing, .unanswered(let reason)): return .record(end(open, as: .uncertain, reason: reason))
        case (_, .answered(let answer)):
            switch answer.meaning {
            case open.command.success: return finish(open, provenBy: answer)
            case .declined: return .record(end(open, as: .declined, provenBy: answer))
            case .pending where open.state != .pending:
                return .record(end(open, as: .pending, provenBy: answer, reason: answer.meaning.openReason))
            case .duplicate where open.state == .processing, .notFound where open.state == .processing,
                .authorized where open.state == .processing, .captured where open.state == .processing,
                .voided where open.state == .processing, .refunded where open.state == .processing:
                return .record(end(open, as: .uncertain, provenBy: answer, reason: answer.meaning.openReason))
            default: return withoutChange
            }
        case (_, .notSent), (_, .unanswered): return withoutChange
        }
    }

    /// The processor's answer about a payment with an open operation.
    mutating func afterStatus(
        _ answer: ProcessorAnswer, of open: PaymentOperation, timeUncertain: Duration
    ) -> Outcome {
        guard [.uncertain, .pending].contains(open.state) else { return withoutChange }
        guard !isAboutAnotherCharge(answer) else {
            return .stillOpen(reason: "the processor answers about another charge of the reference")
        }
        guard let isDone = answer.shows(open, amount: amount) else {
            return .stillOpen(reason: answer.meaning.openReason)
        }
        if isDone { return finish(open, provenBy: answer) }
        guard isNotFoundFinal(for: open, after: timeUncertain) else {
            return .stillOpen(reason: "the processor's totals do not show it yet")
        }
        balance = balance.forward(to: answer.totals ?? balance)
        if balance != open.before { state = balance.state(of: amount) }
        return .record(end(open, as: .notProcessed, provenBy: answer))
    }

    private mutating func finish(_ open: PaymentOperation, provenBy answer: ProcessorAnswer) -> Outcome {
        guard let after = open.after else { return .stillOpen(reason: "the operation is about more than can be") }
        balance = after.forward(to: answer.totals ?? after)
        state = open.command == .voidAuthorization ? .voided : balance.state(of: amount)
        return .record(end(open, as: .done, provenBy: answer))
    }
}

extension OperationCommand {
    /// What an answer means that says it was done.
    var success: ProcessorAnswer.Meaning {
        switch self {
        case .capture: .captured
        case .voidAuthorization: .voided
        case .refund: .refunded
        }
    }
}

extension ProcessorAnswer {
    /// Whether an answer to CHECK_STATUS shows that an operation was done; nil where it does not show.
    ///
    /// - Parameter authorized: the payment's amount.
    fileprivate func shows(_ open: PaymentOperation, amount authorized: MinorUnits) -> Bool? {
        guard let after = open.after else { return nil }
        switch (open.command, meaning) {
        // What was captured cannot have been voided: the answer contradicts itself.
        case (.voidAuthorization, .voided): return totals?.captured ?? .zero > .zero ? nil : true
        case (.voidAuthorization, .authorized), (.voidAuthorization, .captured), (.voidAuthorization, .refunded):
            return false
        case (.capture, .authorized):
            // A state without money and a total with money contradict each other.
            return totals?.captured ?? .zero > open.before.captured ? nil : false
        case (.capture, .captured), (.capture, .refunded):
            if let totals { return totals.captured >= after.captured }
            return after.captured == authorized && open.before.captured == .zero ? true : nil
        case (.refund, .refunded), (.refund, .captured):
            if let totals { return totals.refunded >= after.refunded }
            guard open.before.refunded == .zero else { return nil }
            return meaning == .captured ? false : after.refunded == after.captured ? true : nil
        default: return nil
        }
    }
}
