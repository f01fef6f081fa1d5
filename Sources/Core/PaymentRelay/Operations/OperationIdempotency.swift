import PayrelayPrimitives

/// R1, R3: the same capture, void or refund, asked for again, moves no money again and gets the stored answer.
extension OperationRequest {
    /// The stored answer to a request that comes again; nil for a new one.
    ///
    /// - Throws: ``OperationRefusal/idempotencyKeyTaken`` where the key is another operation's, ``OperationRefusal/inFlight``
    ///   while there is no answer.
    func storedAnswer(of payment: Payment) throws(OperationRefusal) -> OperationResult? {
        let key = operationKey(on: payment)
        guard let known = payment.operations.last(where: { $0.idempotencyKey == key }) else {
            return nil
        }
        guard known.command == command, amount.map({ $0 == known.amount }) ?? true else { throw .idempotencyKeyTaken }
        guard let receipt = known.receipt else { throw .inFlight }
        guard Receipt.isReadable(receipt) else { throw .recordUnreadable }
        return OperationResult(operation: known, isReplay: true)
    }

    /// Returns the operation's idempotency key: the client's `maintenance_reference`, or else its `Idempotency-Key`, or
    /// else the command, the amount and a count of tries.
    ///
    /// Without a key of the client's, an operation that was declined or not processed does not block the next attempt.
    func operationKey(on payment: Payment) -> String {
        if let maintenanceReference { return "reference \(maintenanceReference)" }
        if let idempotencyKey { return "key \(idempotencyKey)" }
        let content = "\(command.rawValue) \(amount.map { "\($0)" } ?? "all")"
        let inVain = payment.operations.filter {
            $0.idempotencyKey.begins(with: content + " ") && [.declined, .notProcessed].contains($0.state)
        }
        return "\(content) try \(inVain.count + 1)"
    }
}
