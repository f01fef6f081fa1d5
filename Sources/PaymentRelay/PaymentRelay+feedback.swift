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
    /// - Throws: what the journal throws; then nothing may be acknowledged.
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
            guard let change = change(of: payment, after: notice) else { return true }
            if try await write(change, request: request) { return true }
        }
        throw ContendedPayment()
    }

    /// Nil where the notice changes nothing.
    private func change(of payment: Payment, after notice: ProcessorNotice) -> PaymentChange? {
        // A copy of the message that made us look proves no more than the message did.
        if payment.openOperation?.wasMadeElsewhere == true { return nil }
        var machine = PaymentStateMachine(payment, notFoundAfter: policy.notFoundAfter)
        let action = machine.handle(.informed(notice))
        guard case .lookInto(let command, let amount) = action else {
            return PaymentChange(of: payment, by: action, of: machine, at: now())
        }
        guard !payment.explains(command, amount), payment.operations.count < Self.operationLimit else { return nil }
        let begun = MaintenanceOperation(
            command: command, amount: amount, maintenanceReference: nil,
            name: MaintenanceOperation.elsewhere,
            before: payment.balance, begunAt: now(), state: .uncertain)
        return PaymentChange(
            from: payment, to: payment.beginning(begun, leasedUntil: now()),
            reason: "the processor told of a \(command.rawValue) of \(amount) that was not made here")
    }
}

/// A payment was changed by others again and again while it was to be changed here.
struct ContendedPayment: Error {}

extension Payment {
    /// Whether an operation that is known here can be the one that the processor tells of.
    fileprivate func explains(_ command: MaintenanceCommand, _ amount: Int) -> Bool {
        operations.contains {
            $0.command == command && $0.amount == amount && ![.declined, .notSent].contains($0.state)
        }
    }
}

extension MaintenanceOperation {
    /// The name of all that was not asked for here; what a caller names has a word before it.
    fileprivate static let elsewhere = "elsewhere"

    fileprivate var wasMadeElsewhere: Bool { name == Self.elsewhere }
}
