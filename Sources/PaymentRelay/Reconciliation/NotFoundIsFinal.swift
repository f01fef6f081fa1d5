/// How long "not found" leaves a payment or an operation open, before it counts as not processed: until then the request
/// may still be on its way.
extension PaymentStateMachine {
    /// How many times longer the processor is given for an operation that it said it has on hold.
    static let patienceWithPending = 24

    /// Whether a charge that the processor does not find was not processed.
    func isNotFoundFinal(after timeUncertain: Duration) -> Bool {
        timeUncertain >= notFoundAfter
    }

    /// Whether an operation that the processor's totals do not show was not processed.
    ///
    /// A pending operation may be carried out late, and nothing but time ends every wait.
    func isNotFoundFinal(for operation: PaymentOperation, after timeUncertain: Duration) -> Bool {
        let patience = operation.state == .pending ? Self.patienceWithPending : 1
        return timeUncertain >= operationNotFoundAfter * patience
    }
}
