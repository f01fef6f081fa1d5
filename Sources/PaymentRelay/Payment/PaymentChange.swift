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

    /// What the machine has decided.
    ///
    /// - Parameter machine: after the input that led to the transition.
    init(
        of payment: Payment, by transition: PaymentStateMachine.Transition, of machine: PaymentStateMachine,
        at moment: Date
    ) {
        var changed = payment
        changed.state = machine.state
        changed.balance = machine.balance
        changed.version += 1
        // The answer holds customer data once more, in a receipt and in an event.
        changed.holdsCustomerData = true
        switch transition {
        case .charge(let answer, let why):
            // What is learnt of a settled payment leaves the answer to its charge as it was given.
            if payment.state.isOpen || payment.state == .notProcessed {
                changed.receipt = Receipt(of: payment, state: machine.state, answer: answer, reason: why).encoded()
            }
            self.init(from: payment, to: changed, reason: why, at: moment, provenBy: answer)
        case .operation(var operation, let answer, let why):
            operation.changedAt = moment
            operation.receipt = Receipt(of: operation, on: changed, answer: answer, reason: why).encoded()
            changed.operations = changed.operations.dropLast() + [operation]
            let what = "\(operation.command.rawValue) of \(operation.amount): \(operation.state.rawValue)"
            self.init(
                from: payment, to: changed, reason: why.map { "\(what), \($0)" } ?? what, at: moment, provenBy: answer)
        }
    }

    /// The history's entry of the change.
    ///
    /// - Parameters:
    ///   - origin: what it is added for.
    ///   - withEvent: whether the merchant's backend is to be notified of it.
    func entry(from origin: Origin, withEvent: Bool) -> HistoryEntry {
        var entry = HistoryEntry(
            at: at, state: to.state, balance: to.balance, source: origin.source, reason: reason,
            requestIdentifier: origin.request,
            event: withEvent ? event : nil)
        // The answer to the charge, and not to an operation on it.
        if let proof, to.receipt != from.receipt {
            entry.searchKeys = SearchKey.keys(of: proof, withEmail: from.isMadeElsewhere)
        }
        return entry
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
