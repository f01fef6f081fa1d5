import PayrelayPrimitives

/// Why an answer of the gateway is ignored: its signature is verified, but it cannot be true of this payment. An
/// operator is alerted, because the two sets of books differ, or someone else has a key.
///
/// R14: no number in an answer of the gateway moves more money than the order's amount.
public struct Implausibility: Error, Sendable, Equatable {
    public enum Kind: String, Sendable, CaseIterable {
        /// An external payment has a currency that its account does not take, or another one than was known.
        case otherCurrency = "other_currency"
        /// The answer states another amount than the payment's, or more than the payment's amount was captured.
        case otherAmount = "other_amount"
        /// A number in the answer is missing, or is not written as an amount.
        case unreadableNumber = "unreadable_number"
        /// More is captured than authorized, more is refunded than captured, or the totals do not show what the
        /// status says.
        case impossibleTotals = "impossible_totals"
    }

    public let kind: Kind
    /// The details, for the log.
    public let detail: String
}

extension Outcome<GatewayAnswer> {
    /// Returns why the answer cannot be true of the payment; `nil` if it can, or if there is no answer.
    func implausibility(for payment: Payment) -> Implausibility? {
        guard case .answered(let answer) = self else { return nil }
        // An answer about another charge with the same reference says nothing about the payment's charge.
        if payment.state.hasMoney, let known = payment.gatewayReference, let other = answer.reference, other != known {
            return nil
        }
        return answer.implausibility(for: payment.asProven(by: answer))
    }
}

extension GatewayAnswer {
    /// Returns why the answer cannot be true of the payment; `nil` if it can.
    func implausibility(for payment: Payment) -> Implausibility? {
        if let unreadableNumber {
            return Implausibility(
                kind: .unreadableNumber, detail: "its \(unreadableNumber) is missing or is not an amount")
        }
        if let totals, !totals.isPossible(for: payment.amount) {
            return Implausibility(
                kind: .impossibleTotals,
                detail: "\(totals.captured) captured and \(totals.refunded) refunded of \(payment.amount)")
        }
        guard isOfCharge else { return nil }
        if let authorized, authorized > .zero, authorized != payment.amount { return .otherAmount(authorized, payment) }
        if let captured, captured > payment.amount { return .otherAmount(captured, payment) }
        // A total below what was proven is a contradiction, which is recorded with the payment (`TakenBack.swift`).
        if isBehind(payment.balance) { return nil }
        if showsMoney, let captured, payment.isCapturedWhole, captured != payment.amount {
            return .otherAmount(captured, payment)
        }
        guard [.captured, .refunded].contains(meaning) else { return nil }
        if captured == .zero || meaning == .refunded && totals?.refunded == .zero {
            return Implausibility(
                kind: .impossibleTotals, detail: "its totals do not show what it says was captured or refunded")
        }
        return nil
    }
}

extension Payment {
    /// Whether the payment is captured as a whole or not at all, as a purchase is. It is not if the gateway only
    /// holds the purchase's money, because a part of that may be captured.
    public var isCapturedWhole: Bool {
        command == .purchase && state != .authorized && [.zero, amount].contains(balance.captured)
    }
}

extension Implausibility {
    fileprivate static func otherAmount(_ stated: MinorUnits, _ payment: Payment) -> Implausibility {
        Implausibility(
            kind: .otherAmount,
            detail: "it says \(payment.written(stated)), and the payment is about \(payment.written(payment.amount))")
    }
}
