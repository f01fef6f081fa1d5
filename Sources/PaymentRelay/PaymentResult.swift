/// How a request to pay went, once the processor was asked.
public struct PaymentResult: Sendable {
    /// The payment as journaled.
    public let payment: Payment
    /// Whether this is the stored answer to an earlier request.
    public let isReplay: Bool
    /// What took how long.
    public let steps: StepTimes
}
