import FoundationEssentials
import PayrelayPrimitives

/// The outcome of a charge.
///
/// R10: a timeout is uncertain, never failed. ``Payment/afterCharge(_:on:)`` decides it: everything except a
/// verified answer, from a timeout to a wrong signature, arrives as `unknown` and makes the payment `uncertain`.
/// The gateway's module decides only whether a request may have left the process.
extension Payment {
    /// Returns the decision on the result of sending the charge.
    ///
    /// The payment may have changed in the meantime, if its lease expired and the gateway was queried about it. A
    /// verified answer counts all the same.
    func afterCharge(_ report: Outcome<GatewayAnswer>, on occasion: Occasion) -> PaymentDecision {
        guard openOperation == nil else { return withoutChange }
        switch (state, report) {
        case (.processing, .notSent(let reason)): return .record(becoming(.notSent, reason: reason, on: occasion))
        case (.processing, .unknown(let reason)): return .record(becoming(.uncertain, reason: reason, on: occasion))
        case (.processing, .answered(let answer)):
            return .record(
                settled(by: answer, toCharge: true, on: occasion)
                    ?? becoming(.uncertain, provenBy: answer, reason: answer.meaning.openReason, on: occasion))
        case (.uncertain, .answered(let answer)):
            return settled(by: answer, toCharge: true, on: occasion).map { .record($0) }
                ?? stayingUncertain(after: answer, on: occasion)
        case (_, .answered(let answer)): return examine(answer, toCharge: true, isNewer: false, on: occasion)
        case (_, .notSent), (_, .unknown): return withoutChange
        }
    }

    /// Decides what the answer to a query means for a payment whose charge is open.
    ///
    /// 1. If the answer to the charge named its number, an answer without money about another number proves nothing. An
    ///    answer with money gets here only if the payment's own number cannot be queried, or has no money
    ///    (``Gateways/status(of:)``).
    /// 2. A failure or a void that may belong to an earlier attempt counts only after the time.
    /// 3. Whatever the answer proves counts at once (``settled(by:toCharge:reason:on:)``).
    /// 4. Before the time is over, any other answer leaves the payment uncertain.
    /// 5. After the time, "not found" means that the charge was not processed, unless the answer states a hold all
    ///    the same.
    /// 6. After the time, a "pending" or "duplicate" whose totals show no money means that the charge failed,
    ///    unless the gateway says that it is still deciding.
    /// 7. After the time, any other answer is a contradiction: an operator is alerted, and the payment stays
    ///    uncertain.
    ///
    /// - Parameter isTimeOver: whether the gateway has had the time to decide (``NotFoundPatience``).
    func afterQuery(_ answer: GatewayAnswer, isTimeOver: Bool, on occasion: Occasion) -> PaymentDecision {
        guard state == .uncertain else { return withoutChange }
        if isReferenceOfCharge, isAboutAnotherCharge(answer), !answer.isOfCharge {
            guard isTimeOver else { return .stillOpen(reason: "the gateway reports another charge") }
            let reason = "whether it was charged; the gateway reports only another charge, and says \(answer.words)"
            return .record(noting(.undecided, reason, in: answer, on: occasion))
        }
        if mayBeOfEarlierAttempt(answer), !isTimeOver {
            return .stillOpen(reason: "the gateway may report an earlier attempt")
        }
        if let settled = settled(by: answer, on: occasion) { return .record(settled) }
        guard isTimeOver else { return stayingUncertain(after: answer, on: occasion) }
        switch answer.meaning {
        case .notFound:
            guard !answer.mayHold else { break }
            return .record(becoming(.notProcessed, provenBy: answer, on: occasion))
        case .pending, .duplicate:
            guard answer.showsNoMoney, !answer.isStillDeciding else { break }
            let reason = "the gateway's totals show no money, and the time in which they could is over"
            return .record(becoming(.declined, provenBy: answer, reason: reason, on: occasion))
        case .authorized, .captured, .declined, .voided, .refunded: break
        }
        return .record(
            noting(.undecided, "whether it was charged; the gateway says \(answer.words)", in: answer, on: occasion))
    }

    /// Whether the answer says that nothing was taken, and is not known to be about this charge. It may be about an
    /// earlier attempt with the same reference, while this charge is still on its way. A number proves that an answer
    /// is about this charge only if the answer to the charge named it.
    private func mayBeOfEarlierAttempt(_ answer: GatewayAnswer) -> Bool {
        [.declined, .voided].contains(answer.meaning) && !answer.showsMoney
            && (!isReferenceOfCharge || isAboutAnotherCharge(answer))
    }

    /// Returns the decision on an answer that proves no outcome. The first answer that names a number is recorded,
    /// because a charge that the gateway is known to have is waited for longer. The number in the answer to the
    /// charge replaces a number from a query.
    private func stayingUncertain(after answer: GatewayAnswer, on occasion: Occasion) -> PaymentDecision {
        let reason = answer.meaning.openReason
        let isFirst = gatewayReference == nil || occasion.isAnswerToRequest && !isReferenceOfCharge
        guard isFirst, answer.reference != nil, answer.meaning != .notFound else {
            return .stillOpen(reason: reason)
        }
        return .record(becoming(.uncertain, provenBy: answer, reason: reason, on: occasion))
    }

    /// Returns the change that a verified answer proves; `nil` if it proves nothing.
    ///
    /// - Captured money in the totals belongs to the payment, whatever the status is. Totals of zero are proof,
    ///   too.
    /// - Without totals, a status of success proves the order's amount only in the answer to the charge itself,
    ///   which states the amount (``PreparedCharge/send()``). A gateway may answer a query with an order of another
    ///   amount.
    /// - An authorized amount equal to the order's amount proves a hold. It also proves a purchase, which is
    ///   captured whole.
    /// - A failure counts only if no money may be held.
    ///
    /// - Parameter isAnswerToCharge: whether the answer is to the charge itself, and not to a query.
    func settled(
        by answer: GatewayAnswer, toCharge isAnswerToCharge: Bool = false, reason: String? = nil,
        on occasion: Occasion
    ) -> Change? {
        if let moved = answer.moved, moved.captured > .zero {
            return holding(balance.forward(to: moved), provenBy: answer, reason: reason, on: occasion)
        }
        let provesAmount = isAnswerToCharge || answer.authorized == amount
        let hasTotals = answer.moved != nil
        switch answer.meaning {
        case .authorized where provesAmount: return holding(balance, provenBy: answer, reason: reason, on: occasion)
        case .captured where !hasTotals && (isAnswerToCharge || provesAmount && isCapturedWhole):
            return holding(
                balance.forward(to: Balance(captured: amount)), provenBy: answer, reason: reason, on: occasion)
        case .refunded where !hasTotals && isAnswerToCharge:
            let whole = Balance(captured: amount, refunded: amount)
            return holding(balance.forward(to: whole), provenBy: answer, reason: reason, on: occasion)
        case .declined where !answer.mayHold:
            return becoming(.declined, provenBy: answer, reason: reason, on: occasion)
        case .voided: return becoming(.voided, provenBy: answer, reason: reason, on: occasion)
        case .authorized, .captured, .declined, .refunded, .pending, .duplicate, .notFound: return nil
        }
    }
}
