public import PaymentRelay

/// An operator's role. Each role includes the permissions of the roles before it.
public enum OperatorRole: String, CaseIterable, Sendable, Comparable {
    /// May view the console.
    case viewer
    /// May query the gateway for a payment's outcome, resend events, view the backend's responses, write notes, assign
    /// payments to themselves, export payments, and simulate the gateway.
    case support
    /// May capture, void and refund, resolve payments that the gateway leaves open, erase customers' data, and
    /// hand back payments that are assigned to other operators.
    case finance

    public static func < (one: OperatorRole, other: OperatorRole) -> Bool { one.rank < other.rank }

    private var rank: Int {
        switch self {
        case .viewer: 0
        case .support: 1
        case .finance: 2
        }
    }

    public func may(_ action: OperatorAction) -> Bool { self >= action.role }
}

extension OperatorAction {
    /// The lowest role that permits the action. The console's pages and the core use the same table.
    public var role: OperatorRole {
        switch self {
        case .look: .viewer
        case .queryGateway, .resendEvents, .writeNote, .takePayment, .exportPayments, .seeBackendAnswers,
            .simulateGateway:
            .support
        case .releasePayment, .capture, .void, .refund, .resolvePayment, .forget: .finance
        }
    }
}

extension OperatorEntry {
    /// Returns an operator's request to the core, with the actions that the role permits.
    ///
    /// - Parameter identifier: the identifier of the HTTP request.
    public func request(identifier: String) -> OperatorRequest {
        OperatorRequest(
            operatorName: name, identifier: identifier, permitted: Set(OperatorAction.allCases.filter(role.may)))
    }
}
