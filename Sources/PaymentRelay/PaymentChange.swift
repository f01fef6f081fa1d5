import FoundationEssentials

/// A payment before and after something happened to it, ready to be written.
struct PaymentChange: Sendable {
    let from: Payment
    let to: Payment
    /// For the history.
    let reason: String?
    let at: Date
    /// The verified answer that proves it; nil where nothing does.
    let proof: ProcessorAnswer?

    init(from: Payment, to: Payment, reason: String?, at: Date, provenBy proof: ProcessorAnswer? = nil) {
        self.from = from
        self.to = to
        self.reason = reason
        self.at = at
        self.proof = proof
    }

    /// What the machine says; nil where nothing is to be written.
    ///
    /// - Parameter machine: after it has taken the event in.
    init?(
        of payment: Payment, by action: PaymentStateMachine.Action, of machine: PaymentStateMachine, at moment: Date
    ) {
        var changed = payment
        changed.state = machine.state
        changed.balance = machine.balance
        changed.version += 1
        // The answer tells of the customer once more, in a receipt and in an event.
        changed.holdsCustomerData = true
        switch action {
        case .record(let answer, let why):
            // What is learnt of a settled payment leaves the answer to its charge as it was given.
            if payment.state.isOpen || payment.state == .notProcessed {
                changed.receipt = Receipt(of: payment, state: machine.state, answer: answer, reason: why).encoded()
            }
            self.init(from: payment, to: changed, reason: why, at: moment, provenBy: answer)
        case .recordOperation(let answer, let why):
            guard var operation = changed.operations.popLast(), let state = machine.operation?.state else { return nil }
            operation.state = state
            operation.changedAt = moment
            operation.receipt = Receipt(of: operation, on: changed, answer: answer, reason: why).encoded()
            changed.operations.append(operation)
            let what = "\(operation.command.rawValue) of \(operation.amount): \(state.rawValue)"
            self.init(
                from: payment, to: changed, reason: why.map { "\(what), \($0)" } ?? what, at: moment, provenBy: answer)
        case .begin, .refuse, .lookInto, .askAgain, .rest: return nil
        }
    }
}

extension Payment {
    /// With an operation begun on it, not yet written.
    func beginning(_ operation: PaymentOperation, leasedUntil expiry: Date) -> Payment {
        var payment = self
        payment.operations.append(operation)
        payment.lease = Lease(number: lease.number + 1, expiresAt: expiry)
        payment.version += 1
        return payment
    }
}
