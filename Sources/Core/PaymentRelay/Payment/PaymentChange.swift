public import FoundationEssentials
import PayrelayPrimitives

/// A payment before and after something happened to it, ready to be written.
///
/// A class, as it is large: each function that it passes through while it waits would keep copies of it.
public final class PaymentChange: Sendable, Equatable {
    /// Nil for a payment that was made elsewhere, and of which nothing was known.
    public let before: Payment?
    public let after: Payment
    /// For the history.
    public let reason: String?
    public let at: Date
    /// The verified answer that proves it; nil where nothing does.
    public let proof: ProcessorAnswer?
    /// Why an operator states it, in that operator's words, if no answer proves it (``PaymentRelay/resolve(_:)``); `nil` for every
    /// other change.
    let statement: OperatorNote?

    init(
        before: Payment?, after: Payment, reason: String?, at moment: Date, provenBy proof: ProcessorAnswer? = nil,
        statedBecause statement: OperatorNote? = nil
    ) {
        self.before = before
        self.after = after
        self.reason = reason
        self.at = moment
        self.proof = proof
        self.statement = statement
    }

    public static func == (one: PaymentChange, other: PaymentChange) -> Bool {
        one.before == other.before && one.after == other.after && one.reason == other.reason && one.at == other.at
            && one.proof == other.proof && one.statement == other.statement
    }

    /// The history's entry of the change.
    ///
    /// - Parameters:
    ///   - origin: what it is added for.
    ///   - withEvent: whether the merchant's backend is to be notified of it.
    func entry(from origin: Origin, withEvent: Bool) -> HistoryEntry {
        HistoryEntry(
            at: at, state: after.state, balance: after.balance, source: origin.source, reason: reason,
            requestIdentifier: origin.request, event: withEvent ? event : nil, note: statement?.text)
    }
}

/// Contradictions between the processor's answer and the state that clients were told. An operator is alerted.
public enum Contradiction: String, Sendable, CaseIterable {
    /// The payment was told as not sent, declined, voided or not processed, and its money was taken.
    case chargedAfterAll = "charged_after_all"
    /// The processor has another charge under the payment's reference.
    case secondCharge = "second_charge"
    /// The processor has a charge under the payment's reference in another account of the merchant.
    case chargeInOtherAccount = "charge_in_other_account"
}

extension PaymentChange {
    var contradiction: Contradiction? {
        if isSecondCharge { return .secondCharge }
        guard let before else { return nil }
        return before.state != after.state && !before.state.isOpen && !before.state.hasMoney && after.state.hasMoney
            ? .chargedAfterAll : nil
    }

    /// Whether it adds an answer to the history that changes nothing.
    var isSecondCharge: Bool {
        proof != nil && !after.state.isOpen && before?.state == after.state && before?.balance == after.balance
            && before?.operations == after.operations
    }
}

extension Payment {
    /// Takes over what lists and search have of the answer to its charge. What an earlier answer said of it is no longer said, but for the
    /// card: an answer to a query rarely names it.
    mutating func adopt(_ answer: ProcessorAnswer?) {
        processorReference = answer?.reference
        let earlier = summary
        summary = answer?.listing ?? JSONObject()
        for name in answer?.cardMembers ?? [] where summary[name] == nil { summary[name] = earlier[name] }
        cardLastFour = answer?.cardLastFour ?? cardLastFour
        // The order's own is known from the claim on.
        guard isMadeElsewhere, let answer else { return }
        customer = answer.customer.completed(by: customer)
        if let email = answer.customer.email { emailDigest = EmailDigest(of: email) }
    }
}
