/// A movement of money, as a line of a gateway's transaction report names it.
public enum ReportedCommand: Equatable, Sendable {
    case authorization, purchase, capture, voidAuthorization, refund

    /// Whether it charges; others are operations on a charge.
    public var isCharge: Bool { self == .authorization || self == .purchase }
}

/// How the movement ended, as a line of a report says.
public enum ReportedOutcome: Equatable, Sendable {
    /// The movement succeeded. The command is the one that the status names; `nil` if the status names none.
    case succeeded(ReportedCommand?)
    /// The money was taken, by a purchase or by a capture: the status does not say by which of the two.
    case taken
    /// - ofCharge: whether the charge failed, or an operation on it; `nil` if the status does not say which.
    case failed(ofCharge: Bool?)
    /// No money is taken or held: the order is not paid yet, the charge failed, or the hold was lifted.
    case unpaid
}
