import Tracing

/// How long each step of a payment took, in the order they were taken.
public struct StepTimes: Sendable {
    /// The steps of ``PaymentRelay/pay(_:)``, by the names used in logs and in the `Server-Timing` header.
    public enum Step: String, Sendable {
        case verify, claim, charge, settle
    }

    public private(set) var taken: [(step: Step, duration: Duration)] = []

    /// Runs one step and notes its time, whether it succeeds or throws. The step is a span of the request's trace.
    mutating func measure<Result, Failure: Error>(
        _ step: Step, _ body: () async throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        let span = startSpan(step.rawValue)
        let start = ContinuousClock.now
        defer {
            taken.append((step, start.duration(to: .now)))
            span.end()
        }
        return try await body()
    }
}
