/// A movement of money, as a line of a gateway's transaction report names it.
public enum ReportedCommand: Equatable, Sendable {
    case authorization, purchase, capture, voidAuthorization, refund
}

/// How the movement ended, as a line of a report says.
public enum ReportedOutcome: Equatable, Sendable {
    /// With the command, where the status says which one it was.
    case succeeded(ReportedCommand?)
    case failed
}
