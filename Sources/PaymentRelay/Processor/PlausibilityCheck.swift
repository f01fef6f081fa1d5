import PayrelayPrimitives

/// Why a message of the processor is ignored: its signature is verified, and it cannot be true of this payment. An
/// operator is alerted, because the two sets of books differ, or a key is in the wrong hands.
///
/// R12: a message counts only for payments of the account that signed it. R14: no number of the processor moves more
/// money than the order is about.
public struct Implausibility: Error, Sendable, Equatable {
    public enum Kind: String, Sendable, CaseIterable {
        /// It was signed by another account than the payment's.
        case otherAccount = "other_account"
        case otherCurrency = "other_currency"
        /// A charge by another command than the payment's.
        case otherCommand = "other_command"
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

extension ProcessorAnswer {
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
        switch meaning {
        case .authorized, .captured, .refunded:
            if let authorized, authorized > .zero, authorized != payment.amount {
                return .otherAmount(authorized, payment.amount)
            }
            if let captured, captured > payment.amount { return .otherAmount(captured, payment.amount) }
            guard meaning != .authorized else { return nil }
            // A purchase is captured whole, an authorization in parts.
            if let captured, payment.command == .purchase, captured != payment.amount {
                return .otherAmount(captured, payment.amount)
            }
            if captured == .zero || meaning == .refunded && totals?.refunded == .zero {
                return Implausibility(
                    kind: .impossibleTotals, detail: "its totals do not show what it says was captured or refunded")
            }
            return nil
        case .declined, .voided, .pending, .duplicate, .notFound: return nil
        }
    }
}

extension ProcessorNotification {
    /// Why the notification cannot be about the payment; nil where it can.
    ///
    /// - Parameter account: of the payment; nil where it is no longer configured.
    func implausibility(for payment: Payment, of account: String?) -> Implausibility? {
        guard self.account == account else {
            return Implausibility(
                kind: .otherAccount,
                detail: "the account \(self.account) signed it, and the payment is \(account ?? "no account")'s")
        }
        if let implausibility = answer.implausibility(for: payment) { return implausibility }
        guard currency ?? payment.currency == payment.currency else {
            return Implausibility(kind: .otherCurrency, detail: "its currency is not \(payment.currency)")
        }
        if case .charge(let command) = subject, command != payment.command {
            return Implausibility(kind: .otherCommand, detail: "it is about a \(command.rawValue)")
        }
        guard let amount else { return nil }
        switch subject {
        case .charge: return amount == payment.amount ? nil : .otherAmount(amount, payment.amount)
        case .operation:
            return (.zero < amount && amount <= payment.amount) ? nil : .otherAmount(amount, payment.amount)
        }
    }
}

extension Implausibility {
    fileprivate static func otherAmount(_ stated: MinorUnits, _ amount: MinorUnits) -> Implausibility {
        Implausibility(kind: .otherAmount, detail: "it says \(stated), and the payment is about \(amount)")
    }
}
