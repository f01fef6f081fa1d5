import PayrelayPrimitives

/// A contradiction between the gateway's answer and the state that clients were answered. An operator is alerted.
public enum Contradiction: String, Sendable, CaseIterable {
    /// The payment was reported as not sent, declined, voided or not processed, and its money was taken or held.
    case chargedAfterAll = "charged_after_all"
    /// The gateway has another charge with the payment's reference.
    case secondCharge = "second_charge"
    /// The gateway has a charge with the payment's reference in another account of the merchant.
    case chargeInOtherAccount = "charge_in_other_account"
    /// A capture or a refund was reported as declined or not processed, and the gateway's totals show its amount.
    case operationAfterAll = "operation_after_all"
    /// The payment was reported as successful, and now the gateway says declined, voided or not found, or its
    /// totals are smaller.
    case takenBack = "taken_back"
    /// The gateway's answers leave something undecided: the time for a decision is over, or the answers state no
    /// amount.
    case undecided
}

extension Change {
    /// The contradiction that the change adds to the history without changing anything else; `nil` for any other
    /// change.
    var noted: Contradiction? { kind.contradiction }

    /// Whether the change records another charge with the payment's reference.
    var isSecondCharge: Bool { noted == .secondCharge }

    /// The contradiction about which an operator is alerted; `nil` if there is none.
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
    /// Whether the growth of a total is the amount of an operation that was reported as declined or not processed.
    fileprivate func gaveUpOperation(of later: Balance) -> Bool {
        operations.contains { operation in
            guard [.declined, .notProcessed].contains(operation.state) else { return false }
            return switch operation.command {
            case .capture: balance.captured.adding(operation.amount) == later.captured
            case .refund: balance.refunded.adding(operation.amount) == later.refunded
            case .voidAuthorization: false
            }
        }
    }
}
