/// What can happen to a payment once it is claimed.
public enum PaymentEvent: Sendable, Equatable {
    /// The charge was reported on.
    case charged(ProcessorReport)
    /// The process that had claimed it ended before it could tell how the charge went.
    case interrupted
    /// The processor was asked what became of it.
    ///
    /// - Parameter timeUncertain: for how long it had been uncertain when the question was sent.
    case queried(ProcessorReport, timeUncertain: Duration)
}
