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
}
