/// A movement of money that a line of a gateway's transaction report names.
public enum ReportedCommand: Equatable, Sendable {
    case authorization, purchase, capture, voidAuthorization, refund

    /// Whether the movement is a charge. The others are operations on a charge.
    public var isCharge: Bool { self == .authorization || self == .purchase }
}

/// The outcome of the movement in a line of a report.
public enum ReportedOutcome: Equatable, Sendable {
    /// The movement succeeded. The associated value is the command that the status names; `nil` if it names none.
    case succeeded(ReportedCommand?)
    /// The money was taken by a purchase or by a capture. The status does not say which.
    case taken
    /// The movement failed.
    ///
    /// - ofCharge: whether the charge itself failed, as opposed to an operation on it; `nil` if the status does
    ///   not say.
    case failed(ofCharge: Bool?)
    /// No money is taken or held: the order is not paid yet, the charge failed, or the authorization was
    /// released.
    case unpaid
}
