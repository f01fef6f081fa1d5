import FoundationEssentials
import PayrelayPrimitives

/// The changes of a payment.
extension Payment {
    /// Returns a change of the payment's state that leaves the balance as it is.
    func becoming(
        _ next: PaymentState, provenBy answer: GatewayAnswer? = nil, reason: String? = nil, on occasion: Occasion
    ) -> Change {
        becoming(next, balance, kind: .charge, provenBy: answer, reason: reason, on: occasion)
    }

    /// Returns a change of the captured and refunded amounts, with the state that follows from them.
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
        // If the payment has money, its receipt stays the answer to its charge, as it was given.
        if !state.hasMoney {
            after.receipt = Receipt(
                of: self, state: next, answer: answer, reason: reason, unproven: unprovenMembers(after: answer)
            ).encoded()
            after.adopt(answer, toCharge: occasion.isAnswerToRequest)
        }
        return Change(
            before: self, after: after, kind: kind, reason: reason, on: occasion, provenBy: answer)
    }

    /// Returns a change of the open operation's state.
    ///
    /// - Parameter changed: the payment as the operation leaves it; `nil` if the operation does not change it.
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

    /// Returns a change that drops the open operation. Nothing left the process, and an operation that was not sent
    /// does not count as one.
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

    /// Returns the reason of an operation's history entry, in words for people: `Refund of 40.00 AED: declined, …`.
    ///
    /// - Parameters:
    ///   - what: what happened to the operation, with the punctuation or the space before it.
    ///   - reason: why it happened; `nil` if there is nothing to add.
    func words(of operation: PaymentOperation, _ what: String, _ reason: String? = nil) -> String {
        "\(operation.command.verb) of \(written(operation.amount))\(what)" + (reason.map { ", \($0)" } ?? "")
    }

    /// Returns a change that only adds an entry to the history.
    func noting(_ kind: EntryKind, _ reason: String, on occasion: Occasion) -> Change {
        Change(before: self, after: self, kind: kind, reason: reason, on: occasion)
    }

    /// Returns a change that adds a contradiction to the history and changes nothing else.
    ///
    /// The reason contains nothing that identifies the customer.
    func noting(
        _ contradiction: Contradiction, _ reason: String, in answer: GatewayAnswer, on occasion: Occasion
    ) -> Change {
        Change(
            before: self, after: self, kind: .contradiction(contradiction), reason: contradiction.words(reason),
            on: occasion, provenBy: answer)
    }

    /// The payment, marked as holding customer data: its next entry has a gateway's answer, and the receipt and the
    /// event may contain the customer's data again.
    var written: Payment {
        var payment = self
        payment.holdsCustomerData = true
        return payment
    }

    /// Adopts the data of the answer to the payment's charge that lists and search need. The data of an earlier
    /// answer is dropped, except the card's, because an answer to a query rarely names the card.
    ///
    /// - Parameter isAnswerToCharge: whether the answer is to the charge itself, and not to a query.
    mutating func adopt(_ answer: GatewayAnswer?, toCharge isAnswerToCharge: Bool = false) {
        let isSameCharge = isReferenceOfCharge && answer?.reference == gatewayReference
        isReferenceOfCharge = answer?.reference != nil && (isAnswerToCharge || isSameCharge)
        gatewayReference = answer?.reference
        let earlier = summary
        summary = answer?.listing ?? JSONObject()
        for name in answer?.cardMembers ?? [] where summary[name] == nil { summary[name] = earlier[name] }
        cardLastFour = answer?.cardLastFour ?? cardLastFour
        // An order made here has had the customer's details since the claim.
        guard isMadeElsewhere, let answer else { return }
        customer = answer.customer.completed(by: customer)
        if let email = answer.customer.email { emailDigest = EmailDigest(of: email) }
    }
}
