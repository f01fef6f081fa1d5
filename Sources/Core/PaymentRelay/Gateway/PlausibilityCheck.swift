import PayrelayPrimitives

/// Why an answer of the gateway is ignored: its signature is verified, and it cannot be true of this payment. An operator is alerted,
/// because the two sets of books differ, or a key is in the wrong hands.
///
/// R14: no number of the gateway moves more money than the order is about.
public struct Implausibility: Error, Sendable, Equatable {
    public enum Kind: String, Sendable, CaseIterable {
        /// A payment that was not made here, in a currency that its account does not take.
        case otherCurrency = "other_currency"
        /// It is about another amount than the payment's, or about none that the payment has left.
        case otherAmount = "other_amount"
        /// A number in it is not written as an amount is.
        case unreadableNumber = "unreadable_number"
        /// More captured than authorized, or more refunded than captured.
        case impossibleTotals = "impossible_totals"
    }

    public let kind: Kind
    /// For the log.
    public let detail: String
}

extension Outcome<GatewayAnswer> {
    /// Why what it says cannot be about the payment; nil where it can, or says nothing.
    func implausibility(for payment: Payment) -> Implausibility? {
        guard case .answered(let answer) = self else { return nil }
        // What it says of another charge under the reference, it does not say of the payment's.
        if payment.state.hasMoney, let known = payment.gatewayReference, let other = answer.reference, other != known {
            return nil
        }
        return answer.implausibility(for: payment.asProven(by: answer))
    }
}

extension GatewayAnswer {
    /// Why the answer cannot be about the payment; nil where it can.
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
        // Less than was proven is a contradiction, which is recorded with the payment (`TakenBack.swift`).
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
    /// Whether all of it is captured or nothing, as of a purchase: unless the gateway holds it, of which it may capture parts.
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
