import FoundationEssentials
import PayrelayPrimitives

/// Verified answers that contradict a recorded outcome and prove no other outcome. The payment stays as it is,
/// because a status does not undo what was proven. The contradiction is recorded, and an operator is alerted.
extension Payment {
    /// Returns how a verified answer to a query contradicts the payment, in words; `nil` if there is no
    /// contradiction.
    ///
    /// A payment with money:
    /// - Totals below what was proven take the success back.
    /// - Totals that show the proven money agree with the record, whatever the status is.
    /// - Without totals, "declined" and "not found" take the success back. So does "voided" if the whole amount was
    ///   captured, and "authorized" if money was captured.
    /// - "Captured" or "refunded" without totals, about money that was not captured or refunded, is undecided.
    ///
    /// A payment without money:
    /// - "Captured", "refunded" or "authorized" without an amount means that the payment was charged after all,
    ///   without a proof of the amount.
    /// - "Authorized" for a voided payment takes the void back.
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

    /// Whether every gateway still shows the payment. No document says how long payments are shown, and a gateway
    /// may show only the last month unless the query requests more.
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
