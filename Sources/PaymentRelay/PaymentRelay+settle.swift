import FoundationEssentials
import Logging
import Primitives

extension PaymentRelay {
    /// Does what the state machine says, and returns the payment as it stands in the journal afterwards.
    func settle(_ payment: Payment, after event: PaymentInput, request identifier: String?) async -> Payment {
        let event = believable(event, about: payment, request: identifier)
        var machine = PaymentStateMachine(payment, policy: policy)
        let action = machine.handle(event)
        guard let change = PaymentChange(of: payment, by: action, of: machine, at: now()) else { return payment }
        do {
            if try await write(change, request: identifier) { return change.to }
            return try await journal.payment(payment.merchantReference) ?? change.to
        } catch {
            logger.critical(
                "outcome not journaled; the reconciler asks again",
                metadata: ["merchant_reference": "\(payment.merchantReference)", "error": "\(error)"])
            return unrecorded(payment)
        }
    }

    /// An answer that cannot be true of the payment proves nothing: it becomes none, and an operator is told.
    private func believable(_ event: PaymentInput, about payment: Payment, request identifier: String?) -> PaymentInput
    {
        guard case .answered(let answer) = event.report,
            let implausibility = answer.implausibility(for: payment)
        else { return event }
        alarm(implausibility, about: payment.merchantReference, request: identifier)
        return event.reporting(.unanswered(reason: "the answer cannot be true: \(implausibility.detail)"))
    }

    /// False where the payment is no longer as it was read; then nothing was written.
    func write(_ change: PaymentChange, request identifier: String?) async throws -> Bool {
        let entry = HistoryEntry(
            at: change.at, state: change.to.state, balance: change.to.balance, reason: change.reason,
            requestIdentifier: identifier, event: policy.recordsEvents ? change.event : nil)
        if change.from.state.isOpen {
            // A charge's outcome is accepted even after its lease expired.
            return try await journal.move(change.from, receipt: change.to.receipt, because: entry)
        }
        return try await journal.replace(change.from, with: change.to, because: entry)
    }

    /// What a client may be told of an outcome that is not durable: that it is not known yet.
    private func unrecorded(_ payment: Payment) -> Payment {
        var unrecorded = payment
        let reason = "the outcome could not be recorded yet"
        if var operation = payment.openOperation {
            operation.state = .uncertain
            operation.receipt = Receipt(of: operation, on: payment, answer: nil, reason: reason).encoded()
            unrecorded.operations[unrecorded.operations.count - 1] = operation
        } else if payment.state.isOpen {
            unrecorded.state = .uncertain
            unrecorded.receipt = Receipt(of: payment, state: .uncertain, answer: nil, reason: reason).encoded()
        }
        return unrecorded
    }

    /// The one line that every payment leaves in the log.
    func log(_ payment: Payment, steps: StepTimes, request identifier: String) {
        var metadata: Logger.Metadata = [
            "merchant_reference": "\(payment.merchantReference)", "outcome": "\(payment.state.rawValue)",
            "request_id": "\(identifier)",
        ]
        metadata["client"] = payment.client.map { "\($0)" }
        for (step, duration) in steps.taken { metadata["\(step.rawValue)_ms"] = "\(duration.milliseconds)" }
        logger.info("payment", metadata: metadata)
    }

    /// The one line that every operation leaves in the log.
    func log(_ operation: PaymentOperation, on payment: Payment, request identifier: String) {
        var metadata: Logger.Metadata = [
            "merchant_reference": "\(payment.merchantReference)", "command": "\(operation.command.rawValue)",
            "outcome": "\(operation.outcome(on: payment))", "request_id": "\(identifier)",
        ]
        metadata["client"] = payment.client.map { "\($0)" }
        logger.info("operation", metadata: metadata)
    }
}

extension Receipt {
    func encoded() -> [UInt8] {
        JSON.object(json).encoded()
    }
}
