import FoundationEssentials

/// Verified answers about payments whose outcome was already known.
///
/// A charge is recorded in any state of the payment: the gateway may be slow, it may accept two attempts with one
/// reference, and a merchant may charge at the gateway directly.
extension Payment {
    /// Decides what a verified answer means for a payment with nothing open.
    ///
    /// 1. An answer about another charge is a second charge, or proves nothing.
    /// 2. Money that the answer proves beyond what is known is recorded.
    /// 3. An answer that contradicts the record is added to the history once, if it is certainly newer
    ///    (`TakenBack.swift`).
    ///
    /// - Parameters:
    ///   - isAnswerToCharge: whether the answer is to the charge itself, and not to a query.
    ///   - isNewer: whether the payment has not changed for so long that the answer must be newer than the last change.
    func examine(
        _ answer: GatewayAnswer, toCharge isAnswerToCharge: Bool = false, isNewer: Bool, on occasion: Occasion
    ) -> PaymentDecision {
        if state.hasMoney {
            if isAboutAnotherCharge(answer) {
                return secondCharge(in: answer, on: occasion).map { .record($0) } ?? .unchanged
            }
            if let adopted = adopting(answer, on: occasion) { return .record(adopted) }
        } else if isChargedAfterAll(by: answer),
            let settled = asProven(by: answer).settled(
                by: answer, toCharge: isAnswerToCharge, reason: state.chargedAfterAll, on: occasion)
        {
            return .record(settled.following(self))
        }
        // An answer to the charge is older than any answer to a query.
        guard !isAnswerToCharge, let (contradiction, reason) = contradiction(in: answer, on: occasion) else {
            return .unchanged
        }
        guard isNewer else {
            return .stillOpen(reason: "the gateway says \(answer.words), which may be older than the last change")
        }
        return .record(noting(contradiction, reason, in: answer, on: occasion))
    }

    private func isChargedAfterAll(by answer: GatewayAnswer) -> Bool {
        switch answer.meaning {
        case .captured, .refunded: true
        // Right after a void, the gateway may still answer with the state before the void.
        case .authorized, .voided: state != .voided || answer.showsMoney
        case .declined, .pending, .duplicate, .notFound: answer.showsMoney
        }
    }
}

extension PaymentState {
    /// The reason for the history if a payment in this state turns out to have money.
    fileprivate var chargedAfterAll: String {
        switch self {
        case .notProcessed: "the request reached the gateway after all"
        case .notSent: "nothing was sent from here, and the gateway was paid all the same"
        default: "it was \(rawValue), and the gateway has charged it after all"
        }
    }
}
