/// What can happen to a payment once it is claimed.
///
/// Where an operation on it is open, `interrupted` and `queried` are about that operation.
public enum PaymentEvent: Sendable, Equatable {
    /// The charge was reported on.
    case charged(ProcessorReport)
    /// The process that worked on it ended before it could tell how that went.
    case interrupted
    /// The processor was asked what became of it.
    ///
    /// - Parameter timeUncertain: for how long it had been uncertain when the question was sent.
    case queried(ProcessorReport, timeUncertain: Duration)
    /// The processor told of it by itself.
    case informed(ProcessorNotice)
    /// A capture, a void or a refund is asked for; an amount of nil is all that is left.
    case asked(MaintenanceCommand, amount: Int?)
    /// The capture, the void or the refund was reported on.
    case maintained(ProcessorReport)
}
