/// Something that an operator may want to count. Whoever is told of it is on the payment's own way and must not block it.
public enum RelayEvent: Sendable {
    /// The steps that a request to pay has taken, whatever came of it.
    case took(StepTimes)
    /// A request to pay has come to its end.
    case paid(Result<PaymentResult, PaymentRefusal>)
    /// A request to capture, void or refund has come to its end.
    case performed(OperationCommand, Result<OperationResult, OperationRefusal>)
    /// A verified message of the processor could not be true, and was ignored.
    case implausible(Implausibility.Kind)
    /// The reconciler has asked the processor about an open payment, or tried to.
    case reconciled(Reconciliation)
}

/// What asking about an open payment led to.
public enum Reconciliation: String, Sendable, CaseIterable {
    /// It has a final outcome now.
    case settled
    /// The processor has no final word yet; it is asked again.
    case open
    /// The journal could not be used.
    case failed
}
