import FoundationEssentials
import Logging
import PayrelayPrimitives

/// An outcome is journaled before any client is answered with it.
extension PaymentRelay {
    /// Records what the state machine makes of a report.
    ///
    /// Where another request has changed the payment meanwhile, the report is held against what it has become: a proven charge is never
    /// dropped because it came second.
    ///
    func record(
        _ report: ProcessorReport, on payment: Payment, from origin: Origin,
        by decide: (inout PaymentStateMachine, ProcessorReport) -> PaymentStateMachine.Outcome
    ) async -> RecordedOutcome {
        let report = plausible(report, for: payment, request: origin.request)
        return await record(on: payment, from: origin) { decide(&$0, report) }
    }

    /// Records what the state machine decides.
    func record(
        on payment: Payment, from origin: Origin,
        by decide: (inout PaymentStateMachine) -> PaymentStateMachine.Outcome
    ) async -> RecordedOutcome {
        var current = payment
        do throws(JournalError) {
            for _ in 0..<Self.attempts {
                var machine = PaymentStateMachine(current, policy: policy)
                let transition: PaymentStateMachine.Transition
                switch decide(&machine) {
                case .record(.secondCharge(_, let reason)) where try await isNoted(reason, on: current):
                    return RecordedOutcome(payment: current)
                case .record(let decided): transition = decided
                case .stillOpen(let reason):
                    logger.debug(
                        "payment still open",
                        metadata: ["merchant_reference": "\(payment.merchantReference)", "reason": "\(reason)"])
                    return RecordedOutcome(payment: current)
                case .unchanged: return RecordedOutcome(payment: current)
                }
                let change = PaymentChange(of: current, by: transition, of: machine, at: now())
                if try await write(change, from: origin) {
                    if let contradiction = change.contradiction {
                        alert(contradiction, change, request: origin.request)
                    }
                    return RecordedOutcome(payment: change.to)
                }
                guard let changed = try await journal.payment(payment.merchantReference) else {
                    return RecordedOutcome(payment: change.to)
                }
                // Claimed again: what is known of the earlier claim says nothing of the one that is under way.
                guard !changed.isBeingSent || changed.isSameClaim(as: payment) else {
                    return RecordedOutcome(payment: changed)
                }
                current = changed
            }
            throw .contended
        } catch {
            logger.critical(
                "outcome not journaled; the reconciler asks again",
                metadata: ["merchant_reference": "\(payment.merchantReference)", "error": "\(error)"])
            return RecordedOutcome(payment: current.withUnrecordedOutcome, isJournaled: false)
        }
    }

    private func isNoted(_ reason: String, on payment: Payment) async throws(JournalError) -> Bool {
        try await journal.history(of: payment.merchantReference).contains { $0.reason == reason }
    }

    /// Alerts an operator to an answer that says otherwise than what clients were told.
    private func alert(_ contradiction: Contradiction, _ change: PaymentChange, request: String?) {
        alert(
            contradiction, about: change.to.merchantReference,
            detail: "it was \(change.from.state.rawValue), now \(change.to.state.rawValue): \(change.reason ?? "")",
            request: request)
    }

    /// Alerts an operator to a charge of another account that has the reference of a client's order, which is paid now.
    func alert(to known: Payment, replacedBy request: PaymentRequest) {
        guard known.state.hasMoney else { return }
        alert(
            .chargeInOtherAccount, about: known.merchantReference,
            detail:
                "the account \(known.account ?? "") has a charge of this reference, which a client pays to another account",
            request: request.identifier)
    }

    func alert(_ contradiction: Contradiction, about merchantReference: String, detail: String, request: String?) {
        var metadata: Logger.Metadata = [
            "merchant_reference": "\(merchantReference)", "kind": "\(contradiction.rawValue)", "detail": "\(detail)",
        ]
        metadata["request_id"] = request.map { "\($0)" }
        logger.critical("the processor contradicts what was known", metadata: metadata)
        observe(.contradicted(contradiction))
    }

    /// An answer that cannot be true of the payment proves nothing: it counts as no answer, and an operator is alerted.
    private func plausible(_ report: ProcessorReport, for payment: Payment, request: String?) -> ProcessorReport {
        guard let implausibility = report.implausibility(for: payment) else { return report }
        alert(implausibility, about: payment.merchantReference, request: request)
        return .unanswered(reason: "the answer cannot be true: \(implausibility.detail)")
    }

    /// Alerts an operator to a message that is genuine and cannot be true.
    func alert(_ implausibility: Implausibility, about merchantReference: String, request: String?) {
        var metadata: Logger.Metadata = [
            "merchant_reference": "\(merchantReference)", "kind": "\(implausibility.kind.rawValue)",
            "detail": "\(implausibility.detail)",
        ]
        metadata["request_id"] = request.map { "\($0)" }
        logger.critical("implausible message of the processor ignored", metadata: metadata)
        observe(.implausible(implausibility.kind))
    }

    /// - Returns: false where the payment is no longer as it was read; then nothing was written.
    func write(_ change: PaymentChange, from origin: Origin) async throws(JournalError) -> Bool {
        let entry = change.entry(from: origin, withEvent: policy.recordsEvents)
        // A charge's outcome is accepted even after its lease expired.
        return try await journal.commit(
            JournaledChange(from: change.from, to: change.to, entry: entry),
            if: change.from.state.isOpen ? .sameState : .sameVersion)
    }

    /// The one line that every payment leaves in the log.
    func log(_ payment: Payment, steps: StepTimes, request identifier: String) {
        var metadata: Logger.Metadata = [
            "merchant_reference": .string(payment.merchantReference), "outcome": .string(payment.state.rawValue),
            "request_id": .string(identifier),
        ]
        metadata.reserveCapacity(8)
        metadata["client"] = payment.client.map { .string($0) }
        for (step, duration) in steps.taken {
            metadata[step.rawValue + "_ms"] = .string(duration.milliseconds.description)
        }
        logger.info("payment", metadata: metadata)
    }

    /// The one line that every operation leaves in the log.
    ///
    /// - Parameter client: who asked for it, where that is known: not always the payment's own client.
    func log(
        _ operation: PaymentOperation, as outcome: String, on payment: Payment, request identifier: String,
        client: String?
    ) {
        var metadata: Logger.Metadata = [
            "merchant_reference": "\(payment.merchantReference)", "command": "\(operation.command.rawValue)",
            "outcome": "\(outcome)", "request_id": "\(identifier)",
        ]
        metadata["client"] = (client ?? payment.client).map { "\($0)" }
        logger.info("operation", metadata: metadata)
    }
}

/// How recording an outcome ended.
struct RecordedOutcome: Sendable {
    /// As it stands in the journal; where nothing could be journaled, as a client is answered.
    let payment: Payment
    /// Whether the journal has what was decided. Where it has not, the processor is to be asked again.
    var isJournaled = true
}

extension Payment {
    /// Whether both are one claim of the reference.
    fileprivate func isSameClaim(as other: Payment) -> Bool {
        EpochMilliseconds(claimedAt).milliseconds == EpochMilliseconds(other.claimedAt).milliseconds
    }

    /// As a client is answered where the outcome is not durable: it is not known yet. It is not what is stored.
    fileprivate var withUnrecordedOutcome: Payment {
        var unrecorded = self
        let reason = "the outcome could not be recorded yet"
        if var operation = openOperation {
            operation.state = .uncertain
            operation.receipt = Receipt(of: operation, on: self, answer: nil, reason: reason).encoded()
            unrecorded.operations[unrecorded.operations.count - 1] = operation
        } else if state.isOpen {
            unrecorded = uncertain(reason: reason)
        }
        return unrecorded
    }

    /// As a client is answered while the outcome is not known. It is not what is stored.
    func uncertain(reason: String) -> Payment {
        var payment = self
        payment.state = .uncertain
        payment.receipt = Receipt(of: self, state: .uncertain, answer: nil, reason: reason).encoded()
        return payment
    }
}
