import FoundationEssentials
import Logging

extension PaymentRelay {
    /// Takes in what the processor told by itself. It may come twice, late, and in any order: it settles what is open, and
    /// never takes a payment backwards.
    ///
    /// What it tells of an operation that this service did not make is not added up, since a copy of the message would add
    /// it up twice: the processor is asked, and its totals count.
    ///
    /// - Parameter request: the HTTP request's identifier.
    /// - Returns: false where no such payment is known here.
    /// - Throws: what the journal throws, or ``UndecidedNotice``; then nothing may be acknowledged.
    public func learn(_ notice: ProcessorNotice, request: String) async throws -> Bool {
        // Each further round means that another request has changed the payment in between.
        for _ in 0..<Self.rounds {
            guard let payment = try await journal.payment(notice.merchantReference) else { return false }
            guard notice.isAbout(payment) else {
                logger.warning(
                    "the processor told of this reference with another sum or currency",
                    metadata: ["merchant_reference": "\(payment.merchantReference)", "request_id": "\(request)"])
                return true
            }
            guard let change = try change(of: payment, after: notice) else { return true }
            if try await write(change, request: request) { return true }
        }
        throw ContendedPayment()
    }

    /// Nil where the notice changes nothing.
    ///
    /// - Throws: ``UndecidedNotice`` where it cannot be told yet what the notice is about, because something else is open.
    private func change(of payment: Payment, after notice: ProcessorNotice) throws(UndecidedNotice) -> PaymentChange? {
        if payment.hasEnded(what: notice) { return nil }
        var machine = PaymentStateMachine(payment, policy: policy)
        let action = machine.handle(.informed(notice))
        switch action {
        case .lookInto(let command, let amount): return lookInto(command, amount, of: payment)
        case .askAgain where notice.isDecisive: throw UndecidedNotice()
        default: return PaymentChange(of: payment, by: action, of: machine, at: now())
        }
    }

    /// Keeps as an operation what was not asked for here, so that the reconciler asks about it.
    private func lookInto(_ command: MaintenanceCommand, _ amount: Int, of payment: Payment) -> PaymentChange? {
        guard payment.operations.count < Self.operationLimit else { return nil }
        let found = MaintenanceOperation(
            command: command, amount: amount, maintenanceReference: nil, name: MaintenanceOperation.elsewhere,
            before: payment.balance, begunAt: now(), state: .uncertain)
        return PaymentChange(
            from: payment, to: payment.beginning(found, leasedUntil: now()),
            reason: "the processor told of a \(command.rawValue) of \(amount) that was not made here", at: now())
    }
}

/// The notice comes while something else on the payment is open, and may be about that. FORT tells again.
struct UndecidedNotice: Error {}

/// A payment was changed by others again and again while it was to be changed here.
struct ContendedPayment: Error {}

extension Payment {
    /// Whether the notice may be about an operation that has ended: it is a copy then, or proves no more than is known. What
    /// it says of one that is open, the processor's totals tell as well. A copy of the message that made us look proves no
    /// more than the message did.
    fileprivate func hasEnded(what notice: ProcessorNotice) -> Bool {
        guard case .maintenance(let command, let reference) = notice.subject else { return false }
        return operations.contains { operation in
            operation.command == command && notice.amount ?? operation.amount == operation.amount
                && (reference == nil || operation.maintenanceReference == nil
                    || operation.maintenanceReference == reference)
                && (operation.name == MaintenanceOperation.elsewhere || [.done, .declined].contains(operation.state))
        }
    }
}

extension MaintenanceOperation {
    /// The name of all that was not asked for here; what a caller names has a word before it.
    fileprivate static let elsewhere = "elsewhere"
}
