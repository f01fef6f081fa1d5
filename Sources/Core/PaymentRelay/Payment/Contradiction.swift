import PayrelayPrimitives

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

extension Change {
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
