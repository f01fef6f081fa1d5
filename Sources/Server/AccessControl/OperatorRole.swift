public import PaymentRelay

/// An operator's role. Each role includes the permissions of those before it.
public enum OperatorRole: String, CaseIterable, Sendable, Comparable {
    /// Views the console.
    case viewer
    /// Queries the gateway for a payment's outcome, resends events, writes notes, takes payments and exports them.
    case support
    /// Captures, voids, refunds, settles by hand what the gateway leaves open, erases customers' data, and releases payments that others
    /// took.
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
    /// The lowest role that permits the action. The console's pages and the core share this table.
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
    /// - Parameter identifier: the HTTP request's.
    public func request(identifier: String) -> OperatorRequest {
        OperatorRequest(
            operatorName: name, identifier: identifier, permitted: Set(OperatorAction.allCases.filter(role.may)))
    }
}
