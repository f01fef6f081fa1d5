/// A movement of money, as a line of a gateway's transaction report names it.
public enum ReportedCommand: Equatable, Sendable {
    case authorization, purchase, capture, voidAuthorization, refund

    /// Whether it charges; others are operations on a charge.
    public var isCharge: Bool { self == .authorization || self == .purchase }
}

/// How the movement ended, as a line of a report says.
public enum ReportedOutcome: Equatable, Sendable {
    /// With the command, where the status says which one it was.
    case succeeded(ReportedCommand?)
    /// - ofCharge: whether the charge failed, or an operation on it; nil where the status does not say which.
    case failed(ofCharge: Bool?)
}
