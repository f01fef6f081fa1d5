import PayrelayPrimitives
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
        /// It is about no payment that is known here, and holds too little to record one.
        case unknown
    }

    /// R11: applies a notification of the processor. It may come twice, late, and in any order: it settles what is
    /// open, and never takes a payment backwards.
    ///
    /// R12, R14: it counts only for a payment of the account that signed it, and only as far as its numbers can be true
    /// of that payment. An operation that this service did not make is not added up from the notification, since a copy
    /// of it would be added up again: the processor is asked, and its totals count.
    ///
    /// - Parameters:
    ///   - kind: by which of its addresses it came.
    ///   - request: the HTTP request's identifier.
    /// - Throws: ``NotificationError``; then nothing may be acknowledged.
    public func apply(
        _ notification: ProcessorNotification, kind: FeedbackKind, request: String
    ) async throws(NotificationError) -> Application {
        // Each further attempt means that another request has changed the payment in between.
        for _ in 0..<Self.attempts {
            let attempt: ApplicationAttempt
            do throws(JournalError) {
                attempt = try await self.attempt(
                    notification, from: Origin(.notification(kind), request: request))
            } catch {
                throw .journal(error)
            }
            switch attempt {
            case .ended(let application): return application
            case .undecided: throw .undecided
            case .overtaken: continue
            }
        }
        throw .journal(.contended)
    }

    private func attempt(
        _ notification: ProcessorNotification, from origin: Origin
    ) async throws(JournalError) -> ApplicationAttempt {
        guard let payment = try await journal.payment(notification.merchantReference) else {
            guard let found = PaymentChange(toPaymentMadeElsewhere: notification, at: now()) else {
                return .ended(.unknown)
            }
            let entry = found.entry(from: origin, withEvent: policy.recordsEvents)
            return try await journal.record(found.to, because: entry) ? .ended(.recorded) : .overtaken
        }
        if let implausibility = notification.implausibility(for: payment, of: processor.account(of: payment)) {
            alert(implausibility, about: payment.merchantReference, request: origin.request)
            return .ended(.implausible(implausibility))
        }
        if payment.knowsOutcome(of: notification) { return .ended(.applied) }
        var machine = PaymentStateMachine(payment, policy: policy)
        let change: PaymentChange?
        switch machine.apply(notification) {
        case .outcome(.record(let transition)):
            change = PaymentChange(of: payment, by: transition, of: machine, at: now())
        case .outcome(.stillOpen) where notification.isDecisive: return .undecided
        case .outcome(.stillOpen), .outcome(.unchanged): change = nil
        case .investigate(let command, let amount): change = investigation(of: command, amount, on: payment)
        }
        guard let change else { return .ended(.applied) }
        return try await write(change, from: origin) ? .ended(.applied) : .overtaken
    }

    /// Records an operation that was not requested here as uncertain, so that the reconciler asks about it. Nil where
    /// the payment has no room for it.
    private func investigation(
        of command: OperationCommand, _ amount: MinorUnits, on payment: Payment
    ) -> PaymentChange? {
        // Operations that are known from notifications alone and never showed make room: else such notifications would
        // use up the payment's operations.
        var cleared = payment
        cleared.operations.removeAll { $0.isMadeElsewhere && $0.state == .notProcessed }
        guard cleared.operations.count < Self.operationLimit else { return nil }
        let found = PaymentOperation(
            command: command, amount: amount, maintenanceReference: nil, idempotencyKey: PaymentOperation.elsewhere,
            before: payment.balance, begunAt: now(), state: .uncertain)
        return PaymentChange(
            from: payment, to: cleared.beginning(found, leasedUntil: now()),
            reason: "the processor reported a \(command.rawValue) of \(amount) that was not made here", at: now())
    }
}

/// Why a notification could not be applied.
public enum NotificationError: Error, Sendable, Equatable {
    /// It comes while something else on the payment is open, and may be about that. The processor sends it again.
    case undecided
    case journal(JournalError)
}

/// How one attempt to apply a notification ended.
private enum ApplicationAttempt {
    case ended(PaymentRelay.Application)
    case undecided
    /// Another request has changed the payment in between.
    case overtaken
}

extension Payment {
    /// Whether the notification may be about an operation that has ended: it is a copy then, or proves no more than is
    /// known. What it says of an open operation, the processor's totals show as well. A copy of the message that led to
    /// an investigation proves no more than the message did.
    fileprivate func knowsOutcome(of notification: ProcessorNotification) -> Bool {
        guard case .operation(let command, let reference) = notification.subject else { return false }
        return operations.contains { operation in
            operation.command == command && notification.amount ?? operation.amount == operation.amount
                && (reference == nil || operation.maintenanceReference == nil
                    || operation.maintenanceReference == reference)
                && (operation.isMadeElsewhere || [.done, .declined].contains(operation.state))
        }
    }
}
