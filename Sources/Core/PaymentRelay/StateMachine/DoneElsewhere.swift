import FoundationEssentials
import PayrelayPrimitives

/// Captures, voids and refunds that were not requested here, for example on the gateway's own pages.
///
/// Only the gateway's totals prove them, and totals come only in answers to queries.
extension Payment {
    /// Returns a change that adopts the captures, voids and refunds in an answer to a query; `nil` if the answer
    /// proves nothing new.
    func adopting(_ answer: GatewayAnswer, on occasion: Occasion) -> Change? {
        let after = brought(upTo: answer)
        guard after.state != state || after.balance != balance else { return nil }
        guard after.balance != balance else {
            return becoming(
                .voided, balance, kind: .elsewhere, provenBy: answer, reason: "elsewhere: voided", on: occasion)
        }
        return holding(
            after.balance, kind: .elsewhere, provenBy: answer, reason: "elsewhere: captured or refunded", on: occasion)
    }

    /// Returns the payment with the captures, voids and refunds that an answer to a query proves beyond what is
    /// known.
    ///
    /// - An answer about another charge, or with totals behind what is known, proves nothing.
    /// - Totals above what is known belong to the payment, whatever the status is.
    /// - "Voided" for a hold without captured money voids the payment. For a payment with captured money, it means
    ///   that the remaining hold was lifted, and the payment stays as it is.
    func brought(upTo answer: GatewayAnswer) -> Payment {
        guard !isAboutAnotherCharge(answer), !answer.isBehind(balance) else { return self }
        var after = self
        after.balance = balance.forward(to: answer.moved ?? balance)
        if after.balance != balance {
            after.state = after.balance.state(of: amount)
        } else if answer.meaning == .voided, state == .authorized {
            after.state = .voided
        }
        return after
    }
}
