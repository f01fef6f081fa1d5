public import FoundationEssentials
import PayrelayPrimitives

/// A payment before and after something happened to it, ready to be written.
///
/// A class, as it is large: each function that it passes through while it waits would keep copies of it.
public final class PaymentChange: Sendable, Equatable {
    /// Nil for a payment that was made elsewhere, and of which nothing was known.
    public let before: Payment?
    public let after: Payment
    /// What the entry of the history records.
    public let kind: EntryKind
    /// The operation that the change is about; `nil` if it is about none.
    let operation: EntryOperation?
    /// For the history, in words for people.
    public let reason: String?
    public let at: Date
    /// The verified answer that proves it; nil where nothing does.
    public let proof: GatewayAnswer?
    /// Why an operator states it, in that operator's words, if no answer proves it (``PaymentRelay/resolve(_:)``); `nil` for every
    /// other change.
    let statement: OperatorNote?

    init(
        before: Payment?, after: Payment, kind: EntryKind, operation: EntryOperation? = nil, reason: String?,
        at moment: Date, provenBy proof: GatewayAnswer? = nil, statedBecause statement: OperatorNote? = nil
    ) {
        self.before = before
        self.after = after
        self.kind = kind
        self.operation = operation
        self.reason = reason
        self.at = moment
        self.proof = proof
        self.statement = statement
    }

    public static func == (one: PaymentChange, other: PaymentChange) -> Bool {
        one.before == other.before && one.after == other.after && one.kind == other.kind
            && one.operation == other.operation && one.reason == other.reason && one.at == other.at
            && one.proof == other.proof && one.statement == other.statement
    }

    /// The history's entry of the change.
    ///
    /// - Parameters:
    ///   - origin: what it is added for.
    ///   - withEvent: whether the merchant's backend is to be notified of it.
    func entry(from origin: Origin, withEvent: Bool) -> HistoryEntry {
        HistoryEntry(
            at: at, state: after.state, balance: after.balance, source: origin.source, kind: kind,
            operation: operation, reason: reason, requestIdentifier: origin.request, operatorName: origin.operatorName,
            event: withEvent ? event : nil, note: statement?.text)
    }
}

/// Contradictions between the gateway's answer and the state that clients were told. An operator is alerted.
public enum Contradiction: String, Sendable, CaseIterable {
    /// The payment was told as not sent, declined, voided or not processed, and its money was taken.
    case chargedAfterAll = "charged_after_all"
    /// The gateway has another charge under the payment's reference.
    case secondCharge = "second_charge"
    /// The gateway has a charge under the payment's reference in another account of the merchant.
    case chargeInOtherAccount = "charge_in_other_account"
    /// A capture or a refund was reported as not processed, and the gateway's totals show its amount.
    case operationAfterAll = "operation_after_all"
    /// The payment was reported as successful, and the gateway now says declined, voided or not found, or its totals are smaller.
    case takenBack = "taken_back"
    /// The gateway's answers do not decide what they are about: the time in which they could is over, or they name no amount.
    case undecided
}

extension PaymentChange {
    /// The contradiction that the change adds to the history without changing anything else; `nil` for any other change.
    var noted: Contradiction? { kind.contradiction }

    /// Whether the change records another charge under the payment's reference.
    var isSecondCharge: Bool { noted == .secondCharge }

    /// The contradiction about which an operator is alerted; nil if there is none.
    var contradiction: Contradiction? {
        if let noted { return noted }
        guard let before else { return nil }
        if before.state != after.state, !before.state.isOpen, !before.state.hasMoney, after.state.hasMoney {
            return .chargedAfterAll
        }
        return before.operations == after.operations && before.gaveUpOperation(of: after.balance)
            ? .operationAfterAll : nil
    }
}

extension Payment {
    /// Whether an operation that was reported as not processed is of the amount by which a total has grown.
    fileprivate func gaveUpOperation(of later: Balance) -> Bool {
        operations.contains { operation in
            guard operation.state == .notProcessed else { return false }
            return switch operation.command {
            case .capture: balance.captured.adding(operation.amount) == later.captured
            case .refund: balance.refunded.adding(operation.amount) == later.refunded
            case .voidAuthorization: false
            }
        }
    }
}

extension Payment {
    /// Takes over what lists and search have of the answer to its charge. What an earlier answer said of it is no longer said, but for the
    /// card: an answer to a query rarely names it.
    mutating func adopt(_ answer: GatewayAnswer?) {
        gatewayReference = answer?.reference
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
