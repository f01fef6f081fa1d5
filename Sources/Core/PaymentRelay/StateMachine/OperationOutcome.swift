import FoundationEssentials
import PayrelayPrimitives

/// The outcome of a capture, a void or a refund.
///
/// The gateway's answer to an operation proves it, and so do the gateway's totals, because captures and refunds
/// only add up. R10 holds here too: an operation without a verified answer is `uncertain`.
extension Payment {
    /// Returns the decision on the result of sending an operation.
    ///
    /// The payment's lease may have expired in the meantime, so that the operation is uncertain. A verified answer
    /// counts all the same.
    ///
    /// - Parameters:
    ///   - sent: the operation as it was when it was sent.
    ///   - status: the answer to the query that followed a refusal; `nil` if there was no such query.
    func afterOperation(
        _ report: Outcome<GatewayAnswer>, to sent: PaymentOperation, status: Outcome<GatewayAnswer>? = nil,
        on occasion: Occasion
    ) -> PaymentDecision {
        guard let open = openOperation, open.isSame(as: sent) else { return withoutChange }
        switch (open.state, report) {
        case (.processing, .notSent(let reason)): return .record(dropping(open, reason: reason, on: occasion))
        case (.processing, .unknown(let reason)):
            return .record(ending(open, as: .uncertain, reason: reason, on: occasion))
        case (_, .answered(let answer)):
            let reason = answer.meaning.openReason
            switch answer.meaning {
            case open.command.success: return finishing(open, provenBy: answer, on: occasion)
            case .declined: return declining(open, by: answer, status: status, on: occasion)
            case .pending where open.state != .pending:
                return .record(ending(open, as: .pending, provenBy: answer, reason: reason, on: occasion))
            case .duplicate where open.state == .processing, .notFound where open.state == .processing,
                .authorized where open.state == .processing, .captured where open.state == .processing,
                .voided where open.state == .processing, .refunded where open.state == .processing:
                return .record(ending(open, as: .uncertain, provenBy: answer, reason: reason, on: occasion))
            default: return withoutChange
            }
        case (_, .notSent), (_, .unknown): return withoutChange
        }
    }

    /// Decides what a refusal means.
    ///
    /// - A refusal may show that our record is behind. Then the operation ends only if a query has returned totals.
    ///   If the totals show the operation, it is done: totals are proof, and a refusal is only a status. Otherwise it
    ///   is declined, and the payment becomes what the totals prove. Without totals the operation is uncertain, and
    ///   the totals of a later answer decide.
    /// - Any other refusal ends the operation, because no money has moved.
    private func declining(
        _ open: PaymentOperation, by answer: GatewayAnswer, status: Outcome<GatewayAnswer>?, on occasion: Occasion
    ) -> PaymentDecision {
        guard isBehind(refusal: answer) else {
            return .record(ending(open, as: .declined, provenBy: answer, on: occasion))
        }
        if case .answered(let standing) = status, standing.moved != nil, !isAboutAnotherCharge(standing),
            !standing.isBehind(balance)
        {
            if standing.shows(open, of: self) == true { return finishing(open, provenBy: standing, on: occasion) }
            let after = brought(upTo: standing)
            return .record(ending(open, as: .declined, leaving: after, provenBy: answer, on: occasion))
        }
        guard open.state == .processing else { return withoutChange }
        let reason = "the gateway does not allow it, and has not said what became of the payment"
        return .record(ending(open, as: .uncertain, provenBy: answer, reason: reason, on: occasion))
    }

    /// Whether a refusal shows that our record of the payment is behind: the payment's state does not allow the
    /// operation, nothing is held any more, or more was captured or refunded than is recorded.
    func isBehind(refusal answer: GatewayAnswer) -> Bool {
        guard answer.meaning == .declined else { return false }
        return answer.isNotAllowed || state == .authorized && answer.authorized == .zero
            || balance.forward(to: answer.moved ?? balance) != balance
    }

    /// Decides what the answer to a query means for a payment with an open operation.
    ///
    /// 1. If the answer shows that the operation was done, the operation is done.
    /// 2. If the answer shows that the operation was not done, it is not processed once the time is over. Until
    ///    then it may still be on its way.
    /// 3. If the answer shows neither, the operation stays open. After the time this is a contradiction: an
    ///    operator is alerted.
    ///
    /// - Parameter isTimeOver: whether the totals have had the time to show the operation (``NotFoundPatience``).
    func afterQuery(
        _ answer: GatewayAnswer, about open: PaymentOperation, isTimeOver: Bool, on occasion: Occasion
    ) -> PaymentDecision {
        guard [.uncertain, .pending].contains(open.state) else { return withoutChange }
        let isDone = isAboutAnotherCharge(answer) ? nil : answer.shows(open, of: self)
        if isDone == true { return finishing(open, provenBy: answer, on: occasion) }
        guard isTimeOver else {
            return .stillOpen(
                reason: isDone == false ? "the gateway's totals do not show it yet" : answer.meaning.openReason)
        }
        guard isDone == false else {
            let reason =
                "whether \(words(of: open, "")) was done; the gateway says \(answer.words)"
            return .record(noting(.undecided, reason, in: answer, on: occasion))
        }
        return .record(
            ending(open, as: .notProcessed, leaving: brought(upTo: answer), provenBy: answer, on: occasion))
    }

    private func finishing(
        _ open: PaymentOperation, provenBy answer: GatewayAnswer, on occasion: Occasion
    ) -> PaymentDecision {
        guard let done = open.after else { return .stillOpen(reason: "the operation is about more than can be") }
        var after = self
        after.balance = done.forward(to: answer.moved ?? done)
        let isVoid = open.command == .voidAuthorization && after.balance.captured == .zero
        after.state = isVoid ? .voided : after.balance.state(of: amount)
        return .record(ending(open, as: .done, leaving: after, provenBy: answer, on: occasion))
    }
}

extension OperationCommand {
    /// The meaning of an answer that confirms the operation.
    var success: GatewayAnswer.Meaning {
        switch self {
        case .capture: .captured
        case .voidAuthorization: .voided
        case .refund: .refunded
        }
    }
}

extension GatewayAnswer {
    /// Returns whether an answer to a query shows that an operation was done; `nil` if the answer proves neither.
    ///
    /// - Totals behind what is proven prove nothing.
    /// - A capture or a refund is done if its total has reached the value after the operation. It is not done if
    ///   the total is less. The status does not matter. An answer without a refunded total, but with captured
    ///   money, shows that nothing was refunded.
    /// - A void moves no money, so only the status shows it. It is not done if money was captured or is held.
    fileprivate func shows(_ open: PaymentOperation, of payment: Payment) -> Bool? {
        guard let after = open.after, !isBehind(payment.balance) else { return nil }
        switch open.command {
        case .capture: return moved.map { $0.captured >= after.captured }
        case .refund:
            if let totals { return totals.refunded >= after.refunded }
            return open.before.refunded == .zero && showsMoney ? false : nil
        case .voidAuthorization:
            switch meaning {
            case .voided: return true
            case .authorized, .captured, .refunded: return false
            case .declined, .pending, .duplicate, .notFound: return showsMoney ? false : nil
            }
        }
    }
}
