public import ApplePayToken
import Tracing

/// An event that an operator may want to count.
public enum RelayEvent: Sendable {
    /// The steps that a request to pay has taken, whether or not it succeeded.
    case took(StepTimes)
    /// A request to pay has come to its end.
    case paid(Result<PaymentReply, PaymentRefusal>)
    /// A request to capture, void or refund has come to its end.
    case performed(OperationCommand, Result<OperationResult, OperationRefusal>)
    /// A verified message of the gateway could not be true, and was ignored.
    case implausible(Implausibility.Kind)
    /// A verified answer of the gateway contradicted what was known.
    case contradicted(Contradiction)
    /// The gateway was queried because of a hint, or should have been.
    case investigated(Investigation)
    /// A payment's token was encrypted for a payment processing certificate that is not configured.
    case unknownCertificate(PaymentToken.Version)
    /// The reconciler has queried the gateway about an open payment, or has tried to.
    case reconciled(Reconciliation)
}

/// Result of following up a hint of the gateway.
public enum Investigation: String, Sendable, CaseIterable {
    /// The hint reported what was known already. Nothing was queried.
    case known
    /// The gateway's answer was new.
    case changed
    /// The gateway's answer said nothing new.
    case unchanged
    /// The gateway did not answer, or could not be queried. It is queried again.
    case postponed
    /// The journal could not be used.
    case failed
}

/// Result of querying the gateway about an open payment.
public enum Reconciliation: String, Sendable, CaseIterable {
    /// The payment has a final outcome now.
    case settled
    /// The gateway has no final answer yet. It is queried again.
    case open
    /// The journal could not be used.
    case failed
}

/// The duration of each step of a payment, in the order of the steps.
public struct StepTimes: Sendable {
    /// The steps of ``PaymentRelay/pay(_:executor:ended:)``, named as in logs and in the `Server-Timing` header.
    public enum Step: String, Sendable {
        case verify, claim, charge, settle
    }

    public private(set) var taken: [(step: Step, duration: Duration)] = []

    init() {
        taken.reserveCapacity(4)
    }

    /// Runs one step and records its duration, whether the step succeeds or throws. If there is a tracer, the step
    /// is a span of the request's trace.
    mutating func measure<Result, Failure: Error>(
        _ step: Step, by tracer: (any Tracer)?, _ body: () async throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        let span = tracer?.startAnySpan(step.rawValue)
        let start = ContinuousClock.now
        defer {
            taken.append((step, start.duration(to: .now)))
            span?.end()
        }
        return try await body()
    }
}
