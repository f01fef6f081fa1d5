/// What is done with a payment that was authorized: capture, void, refund, and what the processor tells of them.
///
/// What proves an operation is the processor's answer to it, or its feedback, or its totals: captures and refunds only add up.
extension PaymentStateMachine {
    /// No operation is open.
    mutating func handleSettled(_ event: PaymentInput) -> Action {
        switch event {
        case .asked(let command, let asked): permit(command, asked)
        case .queried(.answered(let answer), _): adopt(answer)
        case .informed(let notification): look(at: notification)
        case .queried, .charged, .interrupted, .performed: .rest
        }
    }

    mutating func handle(_ event: PaymentInput, during open: PaymentOperation) -> Action {
        switch (open.state, event) {
        case (_, .asked): .refuse(.inFlight)
        case (.processing, .performed(let report)): afterOperation(report, of: open)
        case (.processing, .interrupted): end(as: .uncertain, reason: "the relay stopped before an answer arrived")
        case (.uncertain, .queried(.answered(let answer), let time)),
            (.pending, .queried(.answered(let answer), let time)):
            afterQuery(answer, of: open, timeUncertain: time)
        case (.uncertain, .queried(.notSent(let reason), _)), (.uncertain, .queried(.unanswered(let reason), _)),
            (.pending, .queried(.notSent(let reason), _)), (.pending, .queried(.unanswered(let reason), _)):
            .askAgain(reason: reason)
        case (.uncertain, .informed(let notification)), (.pending, .informed(let notification)):
            afterNotification(notification, of: open)
        default: .askAgain(reason: "the event does not fit an operation that is \(open.state.rawValue)")
        }
    }

    /// How many times longer the processor is given for an operation that it said it has.
    static let patienceWithPending = 24

    private func permit(_ command: OperationCommand, _ asked: MinorUnits?) -> Action {
        let left: MinorUnits
        switch command {
        case .capture:
            guard state != .voided else { return .refuse(.notAllowed(reason: "the authorization was voided")) }
            left = amount.subtracting(balance.captured) ?? .zero
        case .refund: left = balance.captured.subtracting(balance.refunded) ?? .zero
        case .voidAuthorization:
            guard state == .authorized else {
                return .refuse(
                    .notAllowed(
                        reason: "only what is authorized and not captured can be voided; it is \(state.rawValue)"))
            }
            return .begin(amount: amount)
        }
        let verb = command == .capture ? "capture" : "refund"
        guard left > .zero else { return .refuse(.notAllowed(reason: "there is nothing left to \(verb)")) }
        guard let asked else { return .begin(amount: left) }
        guard asked > .zero else { return .refuse(.notAllowed(reason: "nothing would be \(verb)d")) }
        guard asked <= left else { return .refuse(.notAllowed(reason: "only \(left) is left to \(verb)")) }
        return .begin(amount: asked)
    }

    private mutating func afterOperation(_ report: ProcessorReport, of open: PaymentOperation) -> Action {
        switch report {
        case .notSent(let reason): end(as: .notSent, reason: reason)
        case .unanswered(let reason): end(as: .uncertain, reason: reason)
        case .answered(let answer):
            switch answer.meaning {
            case open.command.success: finish(open, provenBy: answer)
            case .declined: end(as: .declined, provenBy: answer)
            case .pending: end(as: .pending, provenBy: answer, reason: answer.meaning.openReason)
            case .duplicate, .notFound, .authorized, .captured, .voided, .refunded:
                end(as: .uncertain, provenBy: answer, reason: answer.meaning.openReason)
            }
        }
    }

    private mutating func afterNotification(
        _ notification: ProcessorNotification, of open: PaymentOperation
    ) -> Action {
        guard case .operation(open.command, let reference) = notification.subject,
            notification.amount ?? open.amount == open.amount,
            open.command != .refund || reference ?? open.maintenanceReference == open.maintenanceReference
        else { return .askAgain(reason: "the processor told of another operation") }
        return switch notification.answer.meaning {
        case open.command.success: finish(open, provenBy: notification.answer)
        case .declined: end(as: .declined, provenBy: notification.answer)
        default: .askAgain(reason: notification.answer.meaning.openReason)
        }
    }

    private mutating func afterQuery(
        _ answer: ProcessorAnswer, of open: PaymentOperation, timeUncertain: Duration
    ) -> Action {
        guard let isDone = answer.shows(open, amount: amount) else {
            return .askAgain(reason: answer.meaning.openReason)
        }
        if isDone { return finish(open, provenBy: answer) }
        // What the processor says it has may come late; nothing that it says ends every wait but time. What it told of as done
        // by itself must show soon: until then no other operation can begin.
        let limit =
            open.isMadeElsewhere
            ? notFoundAfter
            : open.state == .pending ? operationNotFoundAfter * Self.patienceWithPending : operationNotFoundAfter
        guard timeUncertain >= limit else {
            return .askAgain(reason: "the processor's totals do not show it yet")
        }
        balance = balance.forward(to: answer.totals ?? balance)
        if balance != open.before { state = balance.state(of: amount) }
        return end(as: .notProcessed, provenBy: answer)
    }

    private mutating func finish(_ open: PaymentOperation, provenBy answer: ProcessorAnswer) -> Action {
        guard let after = open.after else { return .askAgain(reason: "the operation is about more than can be") }
        balance = after.forward(to: answer.totals ?? after)
        state = open.command == .voidAuthorization ? .voided : balance.state(of: amount)
        return end(as: .done, provenBy: answer)
    }

    private mutating func end(
        as next: PaymentOperation.State, provenBy answer: ProcessorAnswer? = nil, reason: String? = nil
    ) -> Action {
        operation?.state = next
        return .recordOperation(answer, reason: reason)
    }

    /// CHECK_STATUS tells of what was done elsewhere. Totals never go back.
    private mutating func adopt(_ answer: ProcessorAnswer) -> Action {
        if answer.meaning == .voided, state == .authorized {
            return become(.voided, provenBy: answer, reason: "voided elsewhere")
        }
        guard state != .voided, [.captured, .refunded].contains(answer.meaning), let totals = answer.totals else {
            return .rest
        }
        let forward = balance.forward(to: totals)
        guard forward != balance else { return .rest }
        balance = forward
        return become(balance.state(of: amount), provenBy: answer, reason: "captured or refunded elsewhere")
    }

    private func look(at notification: ProcessorNotification) -> Action {
        guard case .operation(let command, _) = notification.subject, notification.answer.meaning == command.success,
            case .begin(let left) = permit(command, nil)
        else { return .rest }
        let told = command == .voidAuthorization ? left : notification.amount ?? left
        // More than is left was counted already, by the totals of a query that came before the notification.
        return told <= left ? .lookInto(command, amount: told) : .rest
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
    /// Whether an answer to CHECK_STATUS shows that an operation was done; nil where it does not tell.
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
