import FoundationEssentials
import Logging

extension PaymentRelay {
    /// What became of a notification.
    public enum Application: Sendable, Equatable {
        /// It is about a payment that this service made, and is recorded where it says anything new.
        case applied
        /// It is about a payment that the merchant made with the processor itself: now this service knows of it.
        case recorded
        /// It cannot be true, and changes nothing.
        case implausible(Implausibility)
        /// It is about no payment that is known here, and is not enough to know one by.
        case unknown
    }

    /// Takes in what the processor told by itself. It may come twice, late, and in any order: it settles what is open, and
    /// never takes a payment backwards.
    ///
    /// It counts only for a payment of the account that signed it, and only as far as its numbers can be true of that payment.
    /// What it tells of an operation that this service did not make is not added up, since a copy of the message would add
    /// it up twice: the processor is asked, and its totals count.
    ///
    /// - Parameter request: the HTTP request's identifier.
    /// - Throws: what the journal throws, or ``UndecidedNotification``; then nothing may be acknowledged.
    public func apply(_ notification: ProcessorNotification, request: String) async throws -> Application {
        // Each further round means that another request has changed the payment in between.
        for _ in 0..<Self.rounds {
            guard let payment = try await journal.payment(notification.merchantReference) else {
                guard let found = PaymentMadeElsewhere(notification, at: now()) else { return .unknown }
                if try await record(found, request: request) { return .recorded }
                continue
            }
            if let implausibility = notification.implausibility(for: payment, of: processor.account(of: payment)) {
                alarm(implausibility, about: payment.merchantReference, request: request)
                return .implausible(implausibility)
            }
            guard let change = try change(of: payment, after: notification) else { return .applied }
            if try await write(change, request: request) { return .applied }
        }
        throw ContendedPayment()
    }

    /// Tells an operator of a message that is genuine and cannot be true.
    func alarm(_ implausibility: Implausibility, about merchantReference: String, request: String?) {
        var metadata: Logger.Metadata = [
            "merchant_reference": "\(merchantReference)", "kind": "\(implausibility.kind.rawValue)",
            "detail": "\(implausibility.detail)",
        ]
        metadata["request_id"] = request.map { "\($0)" }
        logger.critical("implausible message of the processor ignored", metadata: metadata)
        observe(.implausible(implausibility.kind))
    }

    /// Nil where the notification changes nothing.
    ///
    /// - Throws: ``UndecidedNotification`` where it cannot be told yet what it is about, because something else is open.
    private func change(
        of payment: Payment, after notification: ProcessorNotification
    ) throws(UndecidedNotification) -> PaymentChange? {
        if payment.hasEnded(what: notification) { return nil }
        var machine = PaymentStateMachine(payment, policy: policy)
        let action = machine.handle(.informed(notification))
        switch action {
        case .lookInto(let command, let amount): return lookInto(command, amount, of: payment)
        case .askAgain where notification.isDecisive: throw UndecidedNotification()
        default: return PaymentChange(of: payment, by: action, of: machine, at: now())
        }
    }

    /// Keeps as an operation what was not asked for here, so that the reconciler asks about it.
    private func lookInto(_ command: OperationCommand, _ amount: MinorUnits, of payment: Payment) -> PaymentChange? {
        // What was told of before and never showed makes room: else such notifications would use up the payment's operations.
        var payment = payment
        let read = payment
        payment.operations.removeAll { $0.isMadeElsewhere && $0.state == .notProcessed }
        guard payment.operations.count < Self.operationLimit else { return nil }
        let found = PaymentOperation(
            command: command, amount: amount, maintenanceReference: nil, name: PaymentOperation.elsewhere,
            before: payment.balance, begunAt: now(), state: .uncertain)
        return PaymentChange(
            from: read, to: payment.beginning(found, leasedUntil: now()),
            reason: "the processor told of a \(command.rawValue) of \(amount) that was not made here", at: now())
    }

    /// False where a payment of its reference is known by now.
    private func record(_ found: PaymentMadeElsewhere, request: String) async throws -> Bool {
        try await journal.record(
            found.change.to,
            because: HistoryEntry(
                at: found.change.at, state: found.change.to.state, balance: found.change.to.balance,
                reason: found.change.reason, requestIdentifier: request,
                event: policy.recordsEvents ? found.change.event : nil))
    }
}

/// The notification comes while something else on the payment is open, and may be about that. FORT tells again.
public struct UndecidedNotification: Error, Sendable, Equatable {}

/// A payment was changed by others again and again while it was to be changed here.
struct ContendedPayment: Error {}

/// A payment that the merchant made with the processor itself, as the processor's own word on its charge tells of it.
private struct PaymentMadeElsewhere {
    /// From nothing but a reference to what the notification proves.
    let change: PaymentChange

    /// Nil where the notification is not about a charge, settles nothing, or does not say for how much: then nothing could be
    /// done with the payment.
    init?(_ notification: ProcessorNotification, at moment: Date) {
        guard case .charge(let command) = notification.subject, let amount = notification.amount, amount > .zero,
            let currency = notification.currency, Self.isReference(notification.merchantReference)
        else { return nil }
        let unheardOf = Payment(
            merchantReference: notification.merchantReference, command: command, amount: amount, currency: currency,
            fingerprint: nil, appleTransactionIdentifier: nil, claimedAt: moment, account: notification.account,
            state: .uncertain)
        guard notification.answer.implausibility(for: unheardOf) == nil else { return nil }
        var machine = PaymentStateMachine(
            state: .uncertain, amount: amount, notFoundAfter: .zero, operationNotFoundAfter: .zero)
        let action = machine.handle(.informed(notification))
        guard case .record(let answer, _) = action,
            let change = PaymentChange(
                of: unheardOf, by: .record(answer, reason: "made with the processor, not through this service"),
                of: machine, at: moment)
        else { return nil }
        self.change = change
    }

    /// FORT's own limit, 40 characters of ASCII: what a message is about must not grow the journal beyond that.
    private static func isReference(_ text: String) -> Bool {
        (1...40).contains(text.utf8.count) && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }
}

extension Payment {
    /// Whether the notification may be about an operation that has ended: it is a copy then, or proves no more than is known.
    /// What it says of one that is open, the processor's totals tell as well. A copy of the message that made us look proves no
    /// more than the message did.
    fileprivate func hasEnded(what notification: ProcessorNotification) -> Bool {
        guard case .operation(let command, let reference) = notification.subject else { return false }
        return operations.contains { operation in
            operation.command == command && notification.amount ?? operation.amount == operation.amount
                && (reference == nil || operation.maintenanceReference == nil
                    || operation.maintenanceReference == reference)
                && (operation.isMadeElsewhere || [.done, .declined].contains(operation.state))
        }
    }
}
