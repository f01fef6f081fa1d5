import FoundationEssentials
import PayrelayPrimitives

/// Outcome of a charge.
///
/// R10: a timeout is uncertain, never failed. ``Payment/afterCharge(_:on:)`` decides it: anything but a verified
/// answer, from a timeout to a wrong signature, arrives as `unknown` and makes the payment `uncertain`. The gateway's
/// module decides only whether a request may have left the process.
extension Payment {
    /// The payment may have gone on meanwhile: its lease expired, and it was asked about. A verified answer counts all the same.
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
    /// 1. A failure or a void that may be an earlier attempt's counts only after the time.
    /// 2. What the answer proves counts at once (``settled(by:toCharge:reason:on:)``).
    /// 3. Before the time is over, any other answer leaves the payment uncertain.
    /// 4. After the time, "not found" means that the charge was not processed, unless the answer states a hold all the same.
    /// 5. After the time, totals without money mean that the charge failed, unless the gateway says that it is still deciding.
    /// 6. After the time, any other answer is a contradiction: an operator is alerted, and the payment stays uncertain.
    ///
    /// - Parameter isTimeOver: whether the gateway had the time to decide (``NotFoundPatience``).
    func afterQuery(_ answer: GatewayAnswer, isTimeOver: Bool, on occasion: Occasion) -> PaymentDecision {
        guard state == .uncertain else { return withoutChange }
        if mayBeOfEarlierTry(answer), !isTimeOver {
            return .stillOpen(reason: "the gateway may tell of an earlier try")
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

    /// Whether it says that nothing was taken, and is not known to say so of this charge: an earlier try of the reference may have come to
    /// that, and the charge be on its way.
    private func mayBeOfEarlierTry(_ answer: GatewayAnswer) -> Bool {
        [.declined, .voided].contains(answer.meaning) && !answer.showsMoney
            && (gatewayReference == nil || isAboutAnotherCharge(answer))
    }

    /// After an answer that settles nothing. The first that names the charge is recorded: what the gateway had is waited for longer.
    private func stayingUncertain(after answer: GatewayAnswer, on occasion: Occasion) -> PaymentDecision {
        let reason = answer.meaning.openReason
        guard gatewayReference == nil, answer.reference != nil, answer.meaning != .notFound else {
            return .stillOpen(reason: reason)
        }
        return .record(becoming(.uncertain, provenBy: answer, reason: reason, on: occasion))
    }

    /// Returns the change that a verified answer proves; nil if it proves nothing.
    ///
    /// - Captured money in the totals is the payment's, whatever the status says. Totals of zero are proof, too.
    /// - Without totals, a status of success proves the order's amount only in the answer to the charge itself, which states the amount
    ///   (``PreparedCharge/send()``). To a query, a gateway may answer about an order of another amount.
    /// - The authorized amount proves a hold, and it proves a purchase, which is captured whole.
    /// - A failure counts only if no money may be held.
    ///
    /// - Parameter isAnswerToCharge: whether it answers the charge itself, and not a query.
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
