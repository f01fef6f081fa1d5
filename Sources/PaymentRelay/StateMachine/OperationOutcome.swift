import PayrelayPrimitives

/// What becomes of a capture, a void or a refund.
///
/// An operation is proven by the processor's answer to it, by its notification, or by its totals: captures and refunds
/// only add up. R10 holds here too: an operation without a verified answer is `uncertain`.
extension PaymentStateMachine {
    /// The operation was sent, or was not, and this is what is known of it.
    mutating func afterOperation(_ report: ProcessorReport) -> Outcome {
        guard let open = operation, open.state == .processing else { return withoutChange }
        switch report {
        case .notSent(let reason): return .record(end(open, as: .notSent, reason: reason))
        case .unanswered(let reason): return .record(end(open, as: .uncertain, reason: reason))
        case .answered(let answer):
            switch answer.meaning {
            case open.command.success: return finish(open, provenBy: answer)
            case .declined: return .record(end(open, as: .declined, provenBy: answer))
            case .pending:
                return .record(end(open, as: .pending, provenBy: answer, reason: answer.meaning.openReason))
            case .duplicate, .notFound, .authorized, .captured, .voided, .refunded:
                return .record(end(open, as: .uncertain, provenBy: answer, reason: answer.meaning.openReason))
            }
        }
    }

    /// The processor's answer about a payment with an open operation.
    mutating func afterStatus(
        _ answer: ProcessorAnswer, of open: PaymentOperation, timeUncertain: Duration
    ) -> Outcome {
        guard [.uncertain, .pending].contains(open.state) else { return withoutChange }
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

    /// A notification for a payment with an open operation.
    mutating func apply(_ notification: ProcessorNotification, during open: PaymentOperation) -> Outcome {
        guard [.uncertain, .pending].contains(open.state) else { return withoutChange }
        guard case .operation(open.command, let reference) = notification.subject,
            notification.amount ?? open.amount == open.amount,
            open.command != .refund || reference ?? open.maintenanceReference == open.maintenanceReference
        else { return .stillOpen(reason: "the notification is about another operation") }
        return switch notification.answer.meaning {
        case open.command.success: finish(open, provenBy: notification.answer)
        case .declined: .record(end(open, as: .declined, provenBy: notification.answer))
        case .authorized, .captured, .voided, .refunded, .pending, .duplicate, .notFound:
            .stillOpen(reason: notification.answer.meaning.openReason)
        }
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
        case (.voidAuthorization, .voided): return true
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
