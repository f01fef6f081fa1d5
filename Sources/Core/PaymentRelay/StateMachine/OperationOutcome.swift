import FoundationEssentials
import PayrelayPrimitives

/// Outcome of a capture, a void or a refund.
///
/// An operation is proven by the gateway's answer to it, or by its totals: captures and refunds only add up. R10 holds here too: an
/// operation without a verified answer is `uncertain`.
extension Payment {
    /// Its lease may have expired meanwhile, so that it is uncertain. A verified answer counts all the same.
    ///
    /// - Parameters:
    ///   - sent: as it was when it was sent.
    ///   - status: the answer to the query that followed a refusal; nil if there was no such query.
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
    /// - A refusal that shows that our record is behind ends the operation only together with the totals of an answer to a query: the
    ///   operation is declined, and the payment becomes what they prove. Without them the operation is uncertain, and totals decide later.
    /// - Any other refusal ends the operation: no money moved.
    private func declining(
        _ open: PaymentOperation, by answer: GatewayAnswer, status: Outcome<GatewayAnswer>?, on occasion: Occasion
    ) -> PaymentDecision {
        guard isBehind(refusal: answer) else {
            return .record(ending(open, as: .declined, provenBy: answer, on: occasion))
        }
        if case .answered(let standing) = status, standing.moved != nil, !isAboutAnotherCharge(standing),
            !standing.isBehind(balance)
        {
            let after = brought(upTo: standing)
            return .record(ending(open, as: .declined, leaving: after, provenBy: answer, on: occasion))
        }
        guard open.state == .processing else { return withoutChange }
        let reason = "the gateway does not allow it, and has not said what became of the payment"
        return .record(ending(open, as: .uncertain, provenBy: answer, reason: reason, on: occasion))
    }

    /// Whether a refusal shows that the gateway knows something about the payment that is not recorded: that its state does not allow the
    /// operation, that nothing is held any more, or that more was captured or refunded.
    func isBehind(refusal answer: GatewayAnswer) -> Bool {
        guard answer.meaning == .declined else { return false }
        return answer.isNotAllowed || state == .authorized && answer.authorized == .zero
            || balance.forward(to: answer.moved ?? balance) != balance
    }

    /// Decides what the answer to a query means for a payment with an open operation.
    ///
    /// 1. If the answer shows that the operation was done, it is done.
    /// 2. If the answer shows that it was not done, it is not processed once the time is over: until then it may still be on its way.
    /// 3. If the answer shows neither, the operation stays open. After the time this is a contradiction: an operator is alerted.
    ///
    /// - Parameter isTimeOver: whether the totals had the time to show the operation (``NotFoundPatience``).
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
    /// Meaning of an answer that confirms the operation.
    var success: GatewayAnswer.Meaning {
        switch self {
        case .capture: .captured
        case .voidAuthorization: .voided
        case .refund: .refunded
        }
    }
}

extension GatewayAnswer {
    /// Returns whether an answer to a query shows that an operation was done; nil if it proves neither.
    ///
    /// - Totals behind what is proven prove nothing.
    /// - A capture or a refund is done if its total has come to what the operation leads to, and is not done if the total is less,
    ///   whatever the status says. That nothing was refunded may go unsaid.
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
