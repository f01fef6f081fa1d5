import FoundationEssentials
import PayrelayPrimitives

/// How a payment changes. Each change counts as one for the optimistic lock.
extension Payment {
    /// Of its own state.
    func becoming(
        _ next: PaymentState, provenBy answer: GatewayAnswer? = nil, reason: String? = nil, at moment: Date
    ) -> PaymentChange {
        becoming(next, balance, kind: .charge, provenBy: answer, reason: reason, at: moment)
    }

    /// Of what was captured and refunded, and of its state with it.
    func holding(
        _ balance: Balance, kind: EntryKind = .charge, provenBy answer: GatewayAnswer, reason: String?,
        at moment: Date
    ) -> PaymentChange {
        becoming(balance.state(of: amount), balance, kind: kind, provenBy: answer, reason: reason, at: moment)
    }

    func becoming(
        _ next: PaymentState, _ balance: Balance, kind: EntryKind, provenBy answer: GatewayAnswer?, reason: String?,
        at moment: Date
    ) -> PaymentChange {
        var after = written
        after.state = next
        after.balance = balance
        // What is learnt of a payment with money leaves the answer to its charge as it was given.
        if !state.hasMoney {
            after.receipt = Receipt(
                of: self, state: next, answer: answer, reason: reason, unproven: unprovenMembers(after: answer)
            ).encoded()
            after.adopt(answer)
        }
        return PaymentChange(
            before: self, after: after, kind: kind, reason: reason, at: moment, provenBy: answer)
    }

    /// Of the open operation, which comes to another state.
    ///
    /// - Parameter changed: the payment as the operation leaves it; nil where it leaves it as it was.
    func ending(
        _ open: PaymentOperation, as next: PaymentOperation.State, leaving changed: Payment? = nil,
        provenBy answer: GatewayAnswer? = nil, reason: String? = nil, at moment: Date
    ) -> PaymentChange {
        var after = (changed ?? self).written
        var ended = open
        ended.state = next
        ended.changedAt = moment
        ended.receipt = Receipt(of: ended, on: after, answer: answer, reason: reason).encoded()
        after.operations[after.operations.count - 1] = ended
        return PaymentChange(
            before: self, after: after, kind: EntryKind(ended.command),
            operation: EntryOperation(ended.identifier, next),
            reason: words(of: ended, ": \(next.rawValue)", reason), at: moment, provenBy: answer)
    }

    /// Of the open operation, which is dropped: nothing left the process, and what was not sent is no operation.
    func dropping(_ open: PaymentOperation, reason: String, at moment: Date) -> PaymentChange {
        var after = self
        after.version += 1
        after.operations.removeLast()
        return PaymentChange(
            before: self, after: after, kind: EntryKind(open.command), operation: EntryOperation(open.identifier, nil),
            reason: words(of: open, ": not_sent", reason), at: moment)
    }

    /// Of its operations, by one more. It is leased for it.
    func beginning(_ operation: PaymentOperation, leasedUntil expiry: Date, at moment: Date) -> PaymentChange {
        var after = self
        after.version += 1
        after.operations.append(operation)
        after.lease = Lease(number: lease.number + 1, expiresAt: expiry)
        return PaymentChange(
            before: self, after: after, kind: EntryKind(operation.command),
            operation: EntryOperation(operation.identifier, operation.state), reason: words(of: operation, " begun"),
            at: moment)
    }

    /// Returns the reason of an operation's entry, in words for people: `Refund of 40.00 AED: declined, …`.
    ///
    /// - Parameters:
    ///   - what: what happened to the operation, with the sign or the space before it.
    ///   - reason: why; `nil` if there is nothing to say.
    func words(of operation: PaymentOperation, _ what: String, _ reason: String? = nil) -> String {
        "\(operation.command.verb) of \(written(operation.amount))\(what)" + (reason.map { ", \($0)" } ?? "")
    }

    /// Returns a change of nothing but the history.
    func noting(_ kind: EntryKind, _ reason: String, at moment: Date) -> PaymentChange {
        var after = self
        after.version += 1
        return PaymentChange(before: self, after: after, kind: kind, reason: reason, at: moment)
    }

    /// Returns a change that adds a contradiction to the history, and changes nothing else.
    ///
    /// The reason holds nothing that tells who the customer is.
    func noting(
        _ contradiction: Contradiction, _ reason: String, in answer: GatewayAnswer, at moment: Date
    ) -> PaymentChange {
        var after = self
        after.version += 1
        return PaymentChange(
            before: self, after: after, kind: .contradiction(contradiction), reason: contradiction.words(reason),
            at: moment, provenBy: answer)
    }

    /// With one more entry in its history, which holds a gateway's answer: customer data, once more, in a receipt and in an event.
    var written: Payment {
        var payment = self
        payment.version += 1
        payment.holdsCustomerData = true
        return payment
    }
}
