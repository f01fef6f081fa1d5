import FoundationEssentials
import PayrelayPrimitives

/// How a payment changes.
extension Payment {
    /// Returns a change of the payment's own state.
    func becoming(
        _ next: PaymentState, provenBy answer: GatewayAnswer? = nil, reason: String? = nil, on occasion: Occasion
    ) -> Change {
        becoming(next, balance, kind: .charge, provenBy: answer, reason: reason, on: occasion)
    }

    /// Returns a change of what was captured and refunded, and of the state with it.
    func holding(
        _ balance: Balance, kind: EntryKind = .charge, provenBy answer: GatewayAnswer, reason: String?,
        on occasion: Occasion
    ) -> Change {
        becoming(balance.state(of: amount), balance, kind: kind, provenBy: answer, reason: reason, on: occasion)
    }

    func becoming(
        _ next: PaymentState, _ balance: Balance, kind: EntryKind, provenBy answer: GatewayAnswer?, reason: String?,
        on occasion: Occasion
    ) -> Change {
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
        return Change(
            before: self, after: after, kind: kind, reason: reason, on: occasion, provenBy: answer)
    }

    /// Returns a change in which the open operation comes to another state.
    ///
    /// - Parameter changed: the payment as the operation leaves it; `nil` if the operation leaves it as it was.
    func ending(
        _ open: PaymentOperation, as next: PaymentOperation.State, leaving changed: Payment? = nil,
        provenBy answer: GatewayAnswer? = nil, reason: String? = nil, on occasion: Occasion
    ) -> Change {
        var after = (changed ?? self).written
        var ended = open
        ended.state = next
        ended.changedAt = occasion.at
        ended.receipt = Receipt(of: ended, on: after, answer: answer, reason: reason).encoded()
        after.operations[after.operations.count - 1] = ended
        return Change(
            before: self, after: after, kind: EntryKind(ended.command),
            operation: EntryOperation(ended.identifier, next),
            reason: words(of: ended, ": \(next.rawValue)", reason), on: occasion, provenBy: answer)
    }

    /// Returns a change that drops the open operation: nothing left the process, and what was not sent is not an operation.
    func dropping(_ open: PaymentOperation, reason: String, on occasion: Occasion) -> Change {
        var after = self
        after.operations.removeLast()
        return Change(
            before: self, after: after, kind: EntryKind(open.command), operation: EntryOperation(open.identifier, nil),
            reason: words(of: open, ": not_sent", reason), on: occasion)
    }

    /// Returns a change that appends an operation and leases the payment for it.
    func beginning(_ operation: PaymentOperation, leasedUntil expiry: Date, on occasion: Occasion) -> Change {
        var after = self
        after.operations.append(operation)
        after.lease = Lease(number: lease.number + 1, expiresAt: expiry)
        return Change(
            before: self, after: after, kind: EntryKind(operation.command),
            operation: EntryOperation(operation.identifier, operation.state), reason: words(of: operation, " begun"),
            on: occasion)
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
    func noting(_ kind: EntryKind, _ reason: String, on occasion: Occasion) -> Change {
        Change(before: self, after: self, kind: kind, reason: reason, on: occasion)
    }

    /// Returns a change that adds a contradiction to the history, and changes nothing else.
    ///
    /// The reason holds nothing that tells who the customer is.
    func noting(
        _ contradiction: Contradiction, _ reason: String, in answer: GatewayAnswer, on occasion: Occasion
    ) -> Change {
        Change(
            before: self, after: self, kind: .contradiction(contradiction), reason: contradiction.words(reason),
            on: occasion, provenBy: answer)
    }

    /// The payment with a gateway's answer in its next entry: the receipt and the event may hold the customer's data once more.
    var written: Payment {
        var payment = self
        payment.holdsCustomerData = true
        return payment
    }
}
