import FoundationEssentials
import Logging
import PayrelayPrimitives

/// An outcome is journaled before a client is answered with it.
extension PaymentRelay {
    /// Applies an input to a payment and records the result.
    ///
    /// - If the payment has changed in the meantime, the input is applied to the changed payment. So a proven
    ///   charge is never dropped because another request, an operator's takeover or a note came first.
    /// - If another claim has the reference now, ``PaymentInput/concerning(_:insteadOf:)`` decides what the input says
    ///   about that claim.
    /// - If the journal has lost the payment, it is recorded anew, unless it has operations.
    /// - If the journal fails, the caller gets an unrecorded outcome, and the reconciler queries the gateway again.
    func record(_ input: PaymentInput, on payment: Payment, from origin: Origin) async -> RecordedOutcome {
        var input = input
        var current = payment
        var decision: PaymentDecision?
        do throws(JournalError) {
            for _ in 0..<Self.attempts {
                decision = current.apply(input, on: occasion(origin), patience: patience(for: current))
                guard case .record(let change) = decision else {
                    if case .stillOpen(let reason) = decision { logOpen(payment, because: reason) }
                    return RecordedOutcome(payment: current, decision: decision)
                }
                if try await isInHistory(change) { return RecordedOutcome(payment: current, decision: decision) }
                if try await alertFirst(of: change), try await journal.commit(change) == .written {
                    return RecordedOutcome(payment: change.after, decision: decision)
                }
                guard let changed = try await journal.payment(payment.merchantReference) else {
                    guard let recorded = try await recordLost(change) else { continue }
                    return RecordedOutcome(payment: recorded, decision: decision)
                }
                guard let next = input.concerning(changed, insteadOf: payment) else {
                    if !changed.hasAccount(of: payment) { alert(to: change.after, replacedBy: origin.request) }
                    return RecordedOutcome(payment: changed, decision: decision)
                }
                (current, input) = (changed, next)
            }
            throw .contended
        } catch {
            logger.critical(
                "outcome not journaled; the reconciler queries the gateway again",
                metadata: ["merchant_reference": "\(payment.merchantReference)", "error": "\(error)"])
            // The request has ended, and the commit that would have made the query due failed. Release the lease,
            // so that the reconciler does not wait until it expires.
            if origin.source == .gatewayAnswer { await release(payment, at: now()) }
            return RecordedOutcome(payment: current.withUnrecordedOutcome, decision: decision, isJournaled: false)
        }
    }

    /// Records a payment that the journal has lost.
    ///
    /// A failover loses the commits that the standby did not have, and only this process still knows what was
    /// charged. The claim's token and idempotency key are lost.
    ///
    /// - Returns: `nil` if the reference is claimed again by now.
    private func recordLost(_ change: Change) async throws(JournalError) -> Payment? {
        logger.critical(
            "the journal has lost a payment", metadata: ["merchant_reference": "\(change.after.merchantReference)"])
        guard change.after.operations.isEmpty else {
            throw .unavailable(reason: "it has lost the payment of an operation")
        }
        let anew = change.following(nil)
        return try await journal.commit(anew) == .written ? anew.after : nil
    }

    private func logOpen(_ payment: Payment, because reason: String) {
        logger.debug(
            "payment still open",
            metadata: ["merchant_reference": "\(payment.merchantReference)", "reason": "\(reason)"])
    }

    /// Whether the history already has the contradiction, or has its maximum of contradictions. The limit exists
    /// because queries may be repeated for ever.
    private func isInHistory(_ change: Change) async throws(JournalError) -> Bool {
        guard let noted = change.noted else { return false }
        let history = try await journal.history(of: change.after.merchantReference)
        // What was undecided about an earlier claim or operation says nothing about the present one, even in the same
        // words.
        let since = change.before?.openSince ?? .distantPast
        let known = history.filter { $0.at >= since }
        if known.contains(where: { $0.kind == change.kind && $0.reason == change.reason }) { return true }
        // A second charge is money, so there is an entry for each charge's number, without a limit.
        return noted != .secondCharge
            && history.count { $0.kind?.contradiction.map { $0 != .secondCharge } ?? false }
                >= Contradiction.notedAtMost
    }

    /// Alerts an operator if a change contradicts what was known.
    ///
    /// - The alert comes before the commit. After a crash, or a commit whose result is lost, the retry would find
    ///   nothing new and stay silent.
    /// - The payment is read once more after the gateway's answer, because the payment known before the query may
    ///   be an earlier claim. An answer that contradicts the payment read now is a contradiction, whatever happens
    ///   to the payment until the commit.
    ///
    /// - Returns: `false` if the payment is no longer the version that the change is based on.
    private func alertFirst(of change: Change) async throws(JournalError) -> Bool {
        guard let contradiction = change.contradiction else { return true }
        let known = try await journal.payment(change.after.merchantReference)
        guard known?.version == change.before?.version else { return false }
        alert(contradiction, change)
        return true
    }

    /// Alerts an operator to an answer that contradicts what clients were answered.
    private func alert(_ contradiction: Contradiction, _ change: Change) {
        let before = change.before?.state.rawValue ?? "unknown"
        alert(
            contradiction, about: change.after.merchantReference,
            detail: "it was \(before), now \(change.after.state.rawValue): \(change.reason ?? "")",
            request: change.origin.request)
    }

    /// Alerts an operator to a charge in another account with the reference of a client's order, which the client
    /// pays now.
    func alert(to known: Payment, replacedBy request: String?) {
        guard known.state.hasMoney else { return }
        alert(
            .chargeInOtherAccount, about: known.merchantReference,
            detail:
                "the account \(known.account ?? "") has a charge of this reference, which a client pays to another account",
            request: request)
    }

    func alert(_ contradiction: Contradiction, about merchantReference: String, detail: String, request: String?) {
        var metadata: Logger.Metadata = [
            "merchant_reference": "\(merchantReference)", "kind": "\(contradiction.rawValue)", "detail": "\(detail)",
        ]
        metadata["request_id"] = request.map { "\($0)" }
        logger.critical("the gateway contradicts what was known", metadata: metadata)
        observe(.contradicted(contradiction))
    }

    /// Returns the gateway's answer if it can be true of the payment. An impossible answer proves nothing: it
    /// counts as no answer, and an operator is alerted.
    func plausible(
        _ report: Outcome<GatewayAnswer>, for payment: Payment, request: String?
    ) -> Outcome<GatewayAnswer> {
        guard let implausibility = report.implausibility(for: payment) else { return report }
        alert(implausibility, about: payment.merchantReference, request: request)
        return .unknown(reason: "the answer cannot be true: \(implausibility.detail)")
    }

    /// Alerts an operator to a message that is genuine and cannot be true.
    func alert(_ implausibility: Implausibility, about merchantReference: String, request: String?) {
        var metadata: Logger.Metadata = [
            "merchant_reference": "\(merchantReference)", "kind": "\(implausibility.kind.rawValue)",
            "detail": "\(implausibility.detail)",
        ]
        metadata["request_id"] = request.map { "\($0)" }
        logger.critical("implausible message of the gateway ignored", metadata: metadata)
        observe(.implausible(implausibility.kind))
    }

    /// Writes the one line that every payment leaves in the log.
    func log(_ payment: Payment, steps: StepTimes, request identifier: String) {
        var metadata = Logger.Metadata(minimumCapacity: 8)
        metadata["merchant_reference"] = .string(payment.merchantReference)
        metadata["outcome"] = .string(payment.state.rawValue)
        metadata["request_id"] = .string(identifier)
        metadata["client"] = payment.client.map { .string($0) }
        for (step, duration) in steps.taken {
            metadata[step.rawValue + "_ms"] = .string(duration.milliseconds.description)
        }
        logger.info("payment", metadata: metadata)
    }

    /// Writes the one line that every operation leaves in the log.
    ///
    /// - Parameters:
    ///   - client: the client that requested the operation, if known. It need not be the payment's client.
    ///   - operatorName: the operator who requested the operation; `nil` if no operator did.
    func log(
        _ operation: PaymentOperation, as outcome: String, on payment: Payment, request identifier: String,
        client: String?, operatorName: String?
    ) {
        var metadata: Logger.Metadata = [
            "merchant_reference": "\(payment.merchantReference)", "command": "\(operation.command.rawValue)",
            "outcome": "\(outcome)", "request_id": "\(identifier)",
        ]
        metadata["client"] = (client ?? payment.client).map { "\($0)" }
        metadata["operator"] = operatorName.map { "\($0)" }
        logger.info("operation", metadata: metadata)
    }
}

/// How recording an outcome ended.
struct RecordedOutcome: Sendable {
    /// The payment as journaled. If the journal failed, it is the payment with which the client is answered.
    let payment: Payment
    /// The state machine's decision on the input.
    let decision: PaymentDecision?
    /// Whether the decision is in the journal. If not, the gateway is queried again.
    var isJournaled = true
}

extension PaymentInput {
    /// Returns what the input says about the payment that has the reference now. The input was about an earlier
    /// version of it, or about an earlier claim of the reference.
    ///
    /// 1. An outcome of an earlier claim proves nothing about a claim that is being sent, or about a claim in another
    ///    account.
    /// 2. If the payment is at another step now, that step was not interrupted and has not been uncertain for as
    ///    long. A gateway's answer counts all the same.
    ///
    /// - Returns: `nil` if the input says nothing about the payment.
    func concerning(_ changed: Payment, insteadOf payment: Payment) -> PaymentInput? {
        guard changed.isSameClaim(as: payment) || !changed.isBeingSent && changed.hasAccount(of: payment) else {
            return nil
        }
        if changed.isAtSameStep(as: payment) { return self }
        return switch self {
        case .interrupted: nil
        case .queried(let report, _): .queried(report, timeUncertain: .zero)
        case .charged, .performed: self
        }
    }
}

extension Payment {
    /// Whether both payments come from the same claim of the reference.
    func isSameClaim(as other: Payment) -> Bool {
        EpochMilliseconds(claimedAt).milliseconds == EpochMilliseconds(other.claimedAt).milliseconds
    }

    /// Whether the same step is open in both payments: the charge, or the same operation. If nothing is open,
    /// whether both have the same state and balance.
    fileprivate func isAtSameStep(as other: Payment) -> Bool {
        guard isSameClaim(as: other), state == other.state, balance == other.balance else { return false }
        guard let openOperation, let open = other.openOperation else {
            return openOperation == nil && other.openOperation == nil
        }
        return openOperation.isSame(as: open)
    }

    /// The payment for the client's answer if the outcome is not durable: the outcome is not known yet. It is not
    /// stored.
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

    /// Returns the payment for the client's answer while the outcome is not known. It is not stored.
    func uncertain(reason: String) -> Payment {
        var payment = self
        payment.state = .uncertain
        payment.receipt = Receipt(of: self, state: .uncertain, answer: nil, reason: reason).encoded()
        return payment
    }
}
