public import PaymentRelay

/// What an operator may do. Each role may do what those before it may.
public enum OperatorRole: String, CaseIterable, Sendable, Comparable {
    /// Looks.
    case viewer
    /// Asks FORT what became of a payment, and sends events again.
    case support
    /// Captures, voids and refunds.
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
    /// The first role that may do it. This table says who may do what, for the console's pages and for the core.
    public var role: OperatorRole {
        switch self {
        case .look: .viewer
        case .askProcessor, .resendEvents, .exportPayments, .seeBackendAnswers, .simulateProcessor: .support
        case .capture, .void, .refund: .finance
        }
    }
}

extension OperatorEntry {
    /// What the operator asks for, with what the role permits.
    ///
    /// - Parameter identifier: of the HTTP request.
    public func request(identifier: String) -> OperatorRequest {
        OperatorRequest(
            operatorName: name, identifier: identifier, permitted: Set(OperatorAction.allCases.filter(role.may)))
    }
}
