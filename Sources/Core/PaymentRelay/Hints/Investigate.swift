import FoundationEssentials
import PayrelayPrimitives

/// R11, R12: asks the processor about what it hinted at. Its answer decides, by the same rules as any answer to CHECK_STATUS.
extension PaymentRelay {
    /// - Returns: what becomes of the hint, and what came of it.
    func investigate(_ pending: PendingHint) async throws(JournalError) -> (HintEnd, Investigation) {
        let hint = pending.hint
        guard let payment = try await journal.payment(hint.merchantReference) else {
            return try await investigateUnknown(pending)
        }
        guard processors.account(of: payment) == hint.account else { return await investigateOtherAccount(pending) }
        if payment.isBeingSent, payment.lease.expiresAt > now() {
            return (.postponed(until: now() + Self.pauseForAnswer), .postponed)
        }
        if !pending.isMixed, payment.knows(hint, account: hint.account) { return (.answered, .known) }
        let lastArrival = try await lastArrival(payment)
        let query = try await queryStatus(of: payment, by: .notification(pending.kind))
        // No answer has the currency.
        if payment.isMadeElsewhere, payment.state == .declined, query.payment.state.hasMoney,
            let currency = hint.currency, currency != payment.currency
        {
            alert(
                Implausibility(
                    kind: .otherCurrency,
                    detail: "declined in \(payment.currency); paid, and a notification says in \(currency)"),
                about: hint.merchantReference, request: nil)
        }
        switch (query.answer, lastArrival) {
        case _ where !query.wasAsked || query.payment.isBeingSent:
            return (.postponed(until: now() + Self.pauseForAnswer), .postponed)
        // Operators are alerted each time.
        case (.implausible, _): return (.postponed(until: now() + Self.longestRestOfUnknown), .postponed)
        case (.contradictory, nil):
            let isNew = query.payment.version != payment.version
            return isNew ? (.answered, .changed) : (inVain(pending, longestRest: Self.longestRest), .unchanged)
        case (.contradictory, let lastArrival?): return (askAgain(until: lastArrival), .unchanged)
        case (nil, let lastArrival?): return (askAgain(until: lastArrival), .changed)
        case (.unchanged, let lastArrival?): return (askAgain(until: lastArrival), .unchanged)
        case (nil, nil): return (.answered, .changed)
        // An answer that may be older than the payment's last change is awaited anew, too.
        case (.open, _) where query.payment.openOperation != nil || !query.payment.isOpen:
            return (.postponed(until: now() + Self.pauseAfterSilence), .postponed)
        case (.open, _), (.unchanged, nil): return (inVain(pending, longestRest: Self.longestRest), .unchanged)
        case (.unanswered, _), (.notSent, _): return (.postponed(until: now() + Self.pauseAfterSilence), .postponed)
        }
    }

    /// When the request of an operation can no longer arrive that the processor has not answered itself; nil where there is none.
    ///
    /// What an answer says of an open operation hides what it would say of the rest. And the totals of another operation, made elsewhere,
    /// may be taken for those of this one, or were, whatever was done since.
    private func lastArrival(_ payment: Payment) async throws(JournalError) -> Date? {
        if let open = payment.openOperation {
            return max(open.begunAt + policy.operationNotFoundAfter, now() + Self.pauseForAnswer)
        }
        let recent = payment.operations.filter { operation in
            operation.state == .done && operation.begunAt + policy.operationNotFoundAfter > now()
        }
        guard !recent.isEmpty else { return nil }
        let settledByQuestion = try await journal.history(of: payment.merchantReference).filter {
            $0.source?.asker != nil
        }
        return recent.last { operation in settledByQuestion.contains { OperationEntry.isDone(operation, $0.reason) } }
            .map { $0.begunAt + policy.operationNotFoundAfter }
    }

    /// The processor is asked once more when the request of the operation cannot arrive any more; and before that now and then, for a hint
    /// that comes meanwhile waits with this one.
    private func askAgain(until lastArrival: Date) -> HintEnd {
        .postponed(until: min(lastArrival, now() + Self.longestRestOfUnknown))
    }

    /// Records a payment that no client of this service made, as far as the processor's answer proves it.
    private func investigateUnknown(_ pending: PendingHint) async throws(JournalError) -> (HintEnd, Investigation) {
        let hint = pending.hint
        guard let processor = processors.processor(ofAccount: hint.account),
            case .answered(let answer) = await processor.status(of: hint.merchantReference, account: hint.account)
        else { return (.postponed(until: now() + Self.pauseAfterSilence), .postponed) }
        guard
            let found = PaymentChange(toPaymentMadeElsewhere: answer, hint: hint, processor: processor.name, at: now())
        else {
            return (inVain(pending, longestRest: Self.longestRestOfUnknown), .unchanged)
        }
        guard processors.account(hint.account, takes: found.after.currency) else {
            alert(
                Implausibility(
                    kind: .otherCurrency,
                    detail:
                        "the account \(hint.account) does not take \(found.after.currency), and only a notification says so"
                ),
                about: hint.merchantReference, request: nil)
            return (inVain(pending, longestRest: Self.longestRestOfUnknown), .unchanged)
        }
        let origin = Origin(.checkStatus(by: .notification(pending.kind)), request: nil)
        // Claimed meanwhile: the question is asked anew, about the payment.
        guard try await write(found, from: origin) else { return (.postponed(until: now()), .postponed) }
        return (.answered, .changed)
    }

    /// References are each account's own. A charge of this one in another account is not the payment's, and may be what the merchant takes
    /// for it.
    private func investigateOtherAccount(_ pending: PendingHint) async -> (HintEnd, Investigation) {
        let hint = pending.hint
        guard case .answered(let answer) = await processors.status(of: hint.merchantReference, account: hint.account)
        else { return (.postponed(until: now() + Self.pauseAfterSilence), .postponed) }
        if answer.isOfCharge {
            alert(
                .chargeInOtherAccount, about: hint.merchantReference,
                detail:
                    "the account \(hint.account) has a charge of this reference, and the payment is another account's",
                request: nil)
        }
        return (inVain(pending, longestRest: Self.longestRestOfUnknown), .unchanged)
    }

    /// Each question in vain doubles the rest, so that a client that repeats its own genuine messages does not occupy the processor.
    private func inVain(_ pending: PendingHint, longestRest: Duration) -> HintEnd {
        let rest = min(longestRest, .seconds(1 << min(pending.questionsInVain, 16)))
        return .inVain(restUntil: now() + rest)
    }

    /// The answer to the request that is under way says most of what a hint says.
    private static let pauseForAnswer = Duration.seconds(2)
    private static let pauseAfterSilence = Duration.seconds(30)
    private static let longestRest = Duration.seconds(60)
    static let longestRestOfUnknown = Duration.seconds(900)
}
