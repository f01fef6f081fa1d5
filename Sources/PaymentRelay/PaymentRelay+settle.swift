import Logging
import OrderedJSON

extension PaymentRelay {
    /// Does what the state machine says, and returns the payment as it stands in the journal afterwards.
    func settle(_ payment: Payment, after event: PaymentEvent, request identifier: String?) async -> Payment {
        var machine = PaymentStateMachine(state: payment.state, notFoundAfter: policy.notFoundAfter)
        guard case .record(let answer, let reason) = machine.handle(event) else { return payment }

        var settled = payment
        settled.state = machine.state
        settled.receipt = Receipt(of: payment, state: machine.state, answer: answer, reason: reason).encoded()
        let entry = HistoryEntry(at: now(), state: machine.state, reason: reason, requestIdentifier: identifier)
        do {
            let moved = try await journal.move(
                payment.merchantReference, from: payment.state, receipt: settled.receipt, because: entry)
            if moved { return settled }
            return try await journal.payment(payment.merchantReference) ?? settled
        } catch {
            logger.critical(
                "an outcome could not be journaled; it is asked for again",
                metadata: ["merchant_reference": "\(payment.merchantReference)", "error": "\(error)"])
            return unrecorded(payment)
        }
    }

    /// What a caller may be told of an outcome that is not durable: that it is not known yet.
    private func unrecorded(_ payment: Payment) -> Payment {
        var unrecorded = payment
        unrecorded.state = .uncertain
        let reason = "the outcome could not be recorded yet"
        unrecorded.receipt = Receipt(of: payment, state: .uncertain, answer: nil, reason: reason).encoded()
        return unrecorded
    }

    /// The one line that every payment leaves in the log.
    func log(_ payment: Payment, steps: StepTimes, request identifier: String) {
        var metadata: Logger.Metadata = [
            "merchant_reference": "\(payment.merchantReference)", "outcome": "\(payment.state.rawValue)",
            "request_id": "\(identifier)",
        ]
        for (step, duration) in steps.taken { metadata["\(step.rawValue)_ms"] = "\(duration.milliseconds)" }
        logger.info("payment", metadata: metadata)
    }
}

extension Receipt {
    func encoded() -> [UInt8] {
        JSON.object(json).encoded()
    }
}
