/// What can happen to a payment once it is claimed.
///
/// Where an operation on it is open, `interrupted` and `queried` are about that operation.
public enum PaymentInput: Sendable, Equatable {
    /// The charge was reported on.
    case charged(ProcessorReport)
    /// The process that worked on it ended before it could tell how that went.
    case interrupted
    /// The processor was asked what became of it.
    ///
    /// - Parameter timeUncertain: for how long it had been uncertain when the question was sent.
    case queried(ProcessorReport, timeUncertain: Duration)
    /// The processor told of it by itself.
    case informed(ProcessorNotification)
    /// A capture, a void or a refund is asked for; an amount of nil is all that is left.
    case asked(OperationCommand, amount: MinorUnits?)
    /// The capture, the void or the refund was reported on.
    case performed(ProcessorReport)
}

extension PaymentInput {
    /// What the processor reported; nil where it was not asked.
    var report: ProcessorReport? {
        switch self {
        case .charged(let report), .queried(let report, _), .performed(let report): report
        case .interrupted, .informed, .asked: nil
        }
    }

    /// The same with another report.
    func reporting(_ report: ProcessorReport) -> PaymentInput {
        switch self {
        case .charged: .charged(report)
        case .queried(_, let timeUncertain): .queried(report, timeUncertain: timeUncertain)
        case .performed: .performed(report)
        case .interrupted, .informed, .asked: self
        }
    }
}
