import FoundationEssentials
import PayrelayPrimitives

/// How long "not found" leaves a payment or an operation open, before it counts as not processed: until then the request
/// may still be on its way.
struct NotFoundPatience: Sendable, Equatable {
    /// For a charge that the processor does not find, and has never named.
    let charge: Duration
    /// For an operation that the processor's totals do not show. It is longer, because totals do not show either what the processor
    /// has on hold.
    let operation: Duration

    /// How many times longer the processor is given for what it had: an operation that it said it has on hold, a charge that it has
    /// given its own number. It may be carried out late, and nothing but time ends every wait.
    static let factorOfPending = 24

    /// Whether a charge that the processor does not find was not processed.
    func isOver(for payment: Payment, after timeUncertain: Duration) -> Bool {
        timeUncertain >= charge * (payment.processorReference == nil ? 1 : Self.factorOfPending)
    }

    /// Whether an operation that the processor's totals do not show was not processed.
    func isOver(for open: PaymentOperation, after timeUncertain: Duration) -> Bool {
        timeUncertain >= operation * (open.state == .pending ? Self.factorOfPending : 1)
    }
}

extension Payment {
    /// Whether an answer to a question ends the payment, or its operation, as not processed. Nothing else is concluded from what an
    /// answer does not show.
    func isNotProcessed(
        by report: Outcome<ProcessorAnswer>, timeUncertain: Duration, at moment: Date, patience: NotFoundPatience
    ) -> Bool {
        let input = PaymentInput.queried(report, timeUncertain: timeUncertain)
        guard case .record(let change) = apply(input, at: moment, patience: patience) else { return false }
        return openOperation == nil
            ? change.after.state == .notProcessed : change.after.operations.last?.state == .notProcessed
    }
}

extension PaymentRelay.Policy {
    var patience: NotFoundPatience { NotFoundPatience(charge: notFoundAfter, operation: operationNotFoundAfter) }
}
