import FoundationEssentials
import PayrelayPrimitives

/// Verified answers that contradict a recorded outcome and prove no other. The payment stays as it is: what was proven once is not
/// undone by a status. The contradiction is recorded, and an operator is alerted.
extension Payment {
    /// Returns how a verified answer to a query contradicts the payment, in words; nil if it does not.
    ///
    /// A payment with money:
    /// - Totals below what was proven take the success back.
    /// - Totals that show the proven money agree with it, whatever the status says.
    /// - Without totals, "declined" and "not found" take the success back. So do "voided", if the whole amount was captured, and
    ///   "authorized", if money was captured.
    /// - "Captured" or "refunded" without totals, about money that was not captured or refunded, is undecided.
    ///
    /// A payment without money:
    /// - "Captured", "refunded" or "authorized" without an amount is a charge after all that proves no amount.
    /// - "Authorized" about a voided payment takes the void back.
    func contradiction(in answer: GatewayAnswer, on occasion: Occasion) -> (Contradiction, String)? {
        contradictionKind(of: answer, on: occasion).map { ($0, "the gateway says \(answer.words)") }
    }

    private func contradictionKind(of answer: GatewayAnswer, on occasion: Occasion) -> Contradiction? {
        guard state.hasMoney else {
            switch answer.meaning {
            case .captured, .refunded: return .chargedAfterAll
            case .authorized: return state == .voided ? .takenBack : .chargedAfterAll
            case .declined, .voided, .pending, .duplicate, .notFound: return nil
            }
        }
        if answer.isBehind(balance) { return .takenBack }
        guard !answer.showsMoney else { return nil }
        switch answer.meaning {
        case .declined: return answer.mayHold && state == .authorized ? nil : .takenBack
        case .notFound: return isShownByGateways(at: occasion.at) ? .takenBack : nil
        case .voided: return balance.captured == amount ? .takenBack : nil
        case .authorized: return balance.captured > .zero ? .takenBack : nil
        case .captured: return balance.captured == .zero ? .undecided : nil
        case .refunded: return balance.refunded == .zero ? .undecided : nil
        case .pending, .duplicate: return nil
        }
    }

    /// Whether each gateway still shows the payment: no document says for how long, and a gateway may show the last month unless it is asked
    /// for more.
    func isShownByGateways(at moment: Date) -> Bool { moment - claimedAt < .seconds(30 * 86_400) }
}

extension Contradiction {
    /// How many contradictions a payment's history holds at most.
    static let notedAtMost = 16

    /// Returns the reason of a history entry, in words for people.
    func words(_ reason: String) -> String { "\(title): \(reason)".storable(upTo: 400) }

    private var title: String {
        switch self {
        case .chargedAfterAll: "charged after all"
        case .secondCharge: "second charge"
        case .chargeInOtherAccount: "charge in another account"
        case .operationAfterAll: "operation after all"
        case .takenBack: "taken back"
        case .undecided: "undecided"
        }
    }
}
