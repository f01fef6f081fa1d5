import PayrelayPrimitives

/// R1, R3: if the same capture, void or refund is requested again, no more money moves, and the client gets the
/// stored answer.
///
/// The first of these rules that applies decides which earlier operation a request repeats:
///
/// 1. The request has an idempotency key that was used before (``KeyUse``): the operation that has the key.
/// 2. The request has a `maintenance_reference`: the payment's operation of this name.
/// 3. The request has neither: the last operation that had neither, with the same command and for the same amount.
///    A repeat of that operation counts as a new request if the operation moved no money, or if its answer was
///    `refunded` and more has been captured since.
///
/// A request that names an earlier operation, but has another command or amount, is refused.
extension OperationRequest {
    /// The idempotency key as journals keep it; `nil` if the request has none.
    var journaledKey: String? {
        let owner: KeyOwner = operatorRequest.map { .operator($0.operatorName) } ?? .client(visible?.client)
        return idempotencyKey.map { owner.named($0) }
    }

    /// Returns the stored answer to a repeated request; `nil` for a new request.
    ///
    /// - Parameter use: what the request's key belongs to.
    /// - Throws: ``OperationRefusal/idempotencyKeyTaken`` if the key or the `maintenance_reference` belongs to
    ///   another request; ``OperationRefusal/inFlight`` while there is no answer;
    ///   ``OperationRefusal/recordUnreadable`` if the stored answer cannot be read.
    func storedAnswer(of payment: Payment, keyUse use: KeyUse?) throws(OperationRefusal) -> OperationResult? {
        guard let known = try repeatedOperation(of: payment, keyUse: use) else { return nil }
        guard known.command == command, amount.map({ $0 == known.amount }) ?? true else { throw .idempotencyKeyTaken }
        guard let receipt = known.receipt else { throw .inFlight }
        guard Receipt.isReadable(receipt) else { throw .recordUnreadable }
        return OperationResult(operation: known, isReplay: true)
    }

    private func repeatedOperation(
        of payment: Payment, keyUse use: KeyUse?
    ) throws(OperationRefusal) -> PaymentOperation? {
        if let key = journaledKey {
            if let known = payment.operations.last(where: { $0.idempotencyKey == key }) {
                guard known.maintenanceReference == maintenanceReference else { throw .idempotencyKeyTaken }
                return known
            }
            // The operations of an archived payment are in the archive, and it accepts no further operations.
            if let use,
                use.merchantReference != merchantReference || use.operation == nil || payment.archivedVersion == nil
            {
                throw .idempotencyKeyTaken
            }
        }
        if let maintenanceReference {
            return payment.operations.last { $0.maintenanceReference == maintenanceReference }
        }
        guard idempotencyKey == nil else { return nil }
        return payment.operations.last {
            $0.idempotencyKey == nil && $0.maintenanceReference == nil && $0.command == command
                && $0.requestedAmount == amount
        }.flatMap { $0.canBeRequestedAnew(on: payment) ? nil : $0 }
    }
}

extension PaymentOperation {
    /// Whether the same request without a key is a request for a further operation.
    fileprivate func canBeRequestedAnew(on payment: Payment) -> Bool {
        switch state {
        case .processing, .uncertain, .pending: false
        case .declined, .notProcessed: true
        // Only a further capture takes a payment out of the state `refunded`.
        case .done:
            command == .refund && payment.state != .refunded && answeredOutcome == PaymentState.refunded.rawValue
        }
    }

    /// The outcome in the answer to clients.
    private var answeredOutcome: String? {
        receipt.flatMap { try? JSON(parsing: $0) }?["outcome"]?.stringValue
    }
}
