import FoundationEssentials
import PayrelayPrimitives

/// How long "not found" leaves a payment or an operation open, before it counts as not processed: until then the request
/// may still be on its way. An answer that may be an earlier try's counts as "not found" until then.
struct NotFoundPatience: Sendable, Equatable {
    /// For a charge that the processor does not find, and has never named.
    let charge: Duration
    /// For an operation that the processor's totals do not show. It is longer, because totals do not show either what the processor
    /// has on hold.
    let operation: Duration

    /// How many times longer the processor is given for what it had: an operation that it said it has on hold, a charge that it has
    /// given its own number. It may be carried out late, and nothing but time ends every wait.
    static let factorOfPending = 24

    /// Whether a charge that the processor does not find will not come any more.
    func isOver(for payment: Payment, after timeUncertain: Duration) -> Bool {
        timeUncertain >= chargeDuration(of: payment)
    }

    /// Whether an operation that the processor's totals do not show was not processed.
    func isOver(for open: PaymentOperation, after timeUncertain: Duration) -> Bool {
        timeUncertain >= operationDuration(of: open)
    }

    /// Returns how long what is open of a payment is left to the gateway's answers: its open operation, or else its charge.
    func duration(for payment: Payment) -> Duration {
        payment.openOperation.map(operationDuration) ?? chargeDuration(of: payment)
    }

    private func chargeDuration(of payment: Payment) -> Duration {
        charge * (payment.processorReference == nil ? 1 : Self.factorOfPending)
    }

    private func operationDuration(of open: PaymentOperation) -> Duration {
        operation * (open.state == .pending ? Self.factorOfPending : 1)
    }
}

extension Payment {
    /// Whether it is the time alone that makes an answer to a question end the payment, or its operation: it does not show what was asked
    /// about.
    func isEndedByTime(
        with report: Outcome<ProcessorAnswer>, timeUncertain: Duration, at moment: Date, patience: NotFoundPatience
    ) -> Bool {
        func isEnded(after time: Duration) -> Bool {
            guard case .record = apply(.queried(report, timeUncertain: time), at: moment, patience: patience) else {
                return false
            }
            return true
        }
        return isEnded(after: timeUncertain) && !isEnded(after: .zero)
    }
}

extension PaymentRelay.Policy {
    var patience: NotFoundPatience { NotFoundPatience(charge: notFoundAfter, operation: operationNotFoundAfter) }
}
