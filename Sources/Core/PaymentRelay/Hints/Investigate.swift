import FoundationEssentials
import PayrelayPrimitives

/// R11, R12: a hint makes the relay query the gateway. The answer decides, by the same rules as any answer to
/// CHECK_STATUS.
extension PaymentRelay {
    /// Queries the gateway about the payment of a hint.
    ///
    /// 1. If the reference is unknown, the answer may make an external payment known.
    /// 2. If the payment is in another account, the answer only serves to find a charge there.
    /// 3. If a request about the payment is on its way, the hint waits for its answer.
    /// 4. If the hint says only what is known, nothing is queried.
    /// 5. Otherwise the answer to the query is recorded. Then each charge whose number a hint names is queried by
    ///    that number.
    ///
    /// - Returns: the end of the hint's lease, and the result for the metrics.
    func investigate(_ pending: PendingHint) async throws(JournalError) -> (HintEnd, Investigation) {
        let hint = pending.hint
        guard let payment = try await journal.payment(hint.merchantReference) else {
            return try await investigateUnknown(pending)
        }
        guard gateways.account(of: payment) == hint.account else { return await investigateOtherAccount(pending) }
        if payment.isBeingSent, payment.lease.expiresAt > now() {
            return (.postponed(until: now() + Self.pauseForAnswer), .postponed)
        }
        if !pending.isMixed, payment.knows(hint, account: hint.account) { return (.answered, .known) }
        let lastArrival = try await lastArrival(payment)
        let query = try await queryStatus(of: payment, by: .notification(pending.kind))
        // No answer of a gateway states the currency.
        if payment.isMadeElsewhere, payment.state == .declined, query.payment.state.hasMoney,
            let currency = hint.currency, currency != payment.currency
        {
            alert(
                Implausibility(
                    kind: .otherCurrency,
                    detail: "declined in \(payment.currency); paid, and a notification says in \(currency)"),
                about: hint.merchantReference, request: nil)
        }
        // A contradiction that the history already has is not new.
        let isNew = query.answer == nil || query.answer == .contradictory && query.payment.version != payment.version
        // An external operation shows only in the totals. An answer without totals does not settle a hint about an
        // operation, as long as the gateway still shows the payment.
        let needsTotals =
            hint.isOfOperation && query.leavesTotalsUnsaid && payment.isShownByGateways(at: now())
        let end: HintEnd
        switch (query.answer, lastArrival) {
        case _ where !query.wasAsked || query.payment.isBeingSent:
            return (.postponed(until: now() + Self.pauseForAnswer), .postponed)
        // Operators are alerted at each such query.
        case (.implausible, _): return (.postponed(until: now() + Self.longestRestOfUnknown), .postponed)
        // An answer about an open operation says nothing about the rest of the payment. The numbers wait with the
        // hint. The hint also waits if the answer may be older than the payment's last change.
        case (.open, _) where query.payment.openOperation != nil || !query.payment.isOpen:
            return (.postponed(until: now() + Self.pauseAfterSilence), .postponed)
        case (.unanswered, _), (.notSent, _): return (.postponed(until: now() + Self.pauseAfterSilence), .postponed)
        case (.unchanged, _) where needsTotals, (.contradictory, _) where needsTotals:
            return (.postponed(until: now() + Self.pauseAfterSilence), .postponed)
        case (nil, let lastArrival?), (.unchanged, let lastArrival?): end = askAgain(until: lastArrival)
        case (.contradictory, let lastArrival?): end = askAgain(until: lastArrival)
        case (nil, nil): end = .answered
        case (.contradictory, nil) where isNew: end = .answered
        case (.open, _), (.unchanged, nil), (.contradictory, nil): end = inVain(pending, longestRest: Self.longestRest)
        }
        switch try await queryCharges(named: pending, of: query.payment) {
        case .changed:
            if case .inVain = end { return (.answered, .changed) }
            return (end, .changed)
        case .postponed: return (.postponed(until: now() + Self.pauseAfterSilence), .postponed)
        case .known, .unchanged, .failed: return (end, isNew ? .changed : .unchanged)
        }
    }

    /// Queries each charge whose number a hint names, except the payment's charge. An answer about a reference is
    /// about one charge only, so a second charge is found by its number.
    ///
    /// The number is untrusted input. It decides only which charge is queried. An answer counts only if it names
    /// the same number and shows a charge: if the gateway does not find an invented number, this says nothing about
    /// the payment.
    private func queryCharges(
        named pending: PendingHint, of known: Payment
    ) async throws(JournalError) -> Investigation {
        var payment = known
        var result = Investigation.unchanged
        let origin = Origin(.checkStatus(by: .notification(pending.kind)), request: nil)
        for number in pending.charges {
            guard number != payment.gatewayReference else { continue }
            // The number of the payment's charge is not known, so another charge could not be distinguished from
            // it.
            guard payment.gatewayReference != nil || !payment.state.hasMoney else { break }
            let report = await gateways.status(of: payment, charge: number)
            guard case .answered(let answer) = report else { return .postponed }
            guard answer.reference == number, answer.isOfCharge else { continue }
            let recorded = await record(
                .queried(plausible(report, for: payment, request: nil), timeUncertain: .zero), on: payment, from: origin
            )
            guard recorded.isJournaled else {
                throw .unavailable(reason: "the answer of the gateway was not recorded")
            }
            let version = payment.version
            payment = recorded.payment
            switch recorded.decision {
            case .record where payment.version != version: result = .changed
            // An operation has begun in the meantime, and answers are about the operation first.
            case .stillOpen where payment.openOperation != nil: return .postponed
            // A second charge that the history already has is not new.
            case .record, .stillOpen, .unchanged, nil: break
            }
        }
        return result
    }

    /// Returns until when the request of an operation may still arrive at the gateway, if the gateway has not
    /// answered that request directly; `nil` if there is no such operation.
    ///
    /// - While an operation is open, an answer about it says nothing about the rest of the payment.
    /// - An external operation may change the totals in the same way. So an operation that a query has settled may
    ///   still be on its way, and the totals may belong to the external operation.
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
        return recent.last { operation in
            settledByQuestion.contains { $0.operation == EntryOperation(operation.identifier, .done) }
        }
        .map { $0.begunAt + policy.operationNotFoundAfter }
    }

    /// Returns that the gateway is queried once more when the request of the operation can no longer arrive. It is
    /// also queried at intervals before that, because a hint that comes in the meantime waits with this one.
    private func askAgain(until lastArrival: Date) -> HintEnd {
        .postponed(until: min(lastArrival, now() + Self.longestRestOfUnknown))
    }

    /// Records a payment that no client of this service made, as far as the gateway's answer proves it.
    private func investigateUnknown(_ pending: PendingHint) async throws(JournalError) -> (HintEnd, Investigation) {
        let hint = pending.hint
        guard let gateway = gateways.gateway(ofAccount: hint.account),
            case .answered(let answer) = await gateway.status(of: hint.merchantReference, account: hint.account)
        else { return (.postponed(until: now() + Self.pauseAfterSilence), .postponed) }
        guard
            let found = Change(
                toPaymentMadeElsewhere: answer, hint: hint, gateway: gateway.name,
                merchantIdentifier: gateways.merchantIdentifier(ofAccount: hint.account),
                on: occasion(Origin(.checkStatus(by: .notification(pending.kind)), request: nil)))
        else {
            return (inVain(pending, longestRest: Self.longestRestOfUnknown), .unchanged)
        }
        guard gateways.account(hint.account, takes: found.after.currency) else {
            alert(
                Implausibility(
                    kind: .otherCurrency,
                    detail:
                        "the account \(hint.account) does not take \(found.after.currency), and only a notification says so"
                ),
                about: hint.merchantReference, request: nil)
            return (inVain(pending, longestRest: Self.longestRestOfUnknown), .unchanged)
        }
        // The reference was claimed in the meantime, so the gateway is queried again, about the payment.
        guard try await journal.commit(found) == .written else { return (.postponed(until: now()), .postponed) }
        // The payment is known now, and a hint may name another charge of it.
        if pending.charges.contains(where: { $0 != found.after.gatewayReference }) {
            return (.postponed(until: now()), .changed)
        }
        return (.answered, .changed)
    }

    /// Looks for a charge with the hint's reference in an account that is not the payment's account: an account of
    /// another name, or another merchant's account of the same name. A reference is unique only within an account,
    /// so the answer does not change the payment. If there is a charge, an operator is alerted, because the
    /// merchant may mistake it for the payment's charge.
    private func investigateOtherAccount(_ pending: PendingHint) async -> (HintEnd, Investigation) {
        let hint = pending.hint
        guard case .answered(let answer) = await gateways.status(of: hint.merchantReference, account: hint.account)
        else { return (.postponed(until: now() + Self.pauseAfterSilence), .postponed) }
        if answer.isOfCharge {
            alert(
                .chargeInOtherAccount, about: hint.merchantReference,
                detail:
                    "the account \(hint.account) has a charge of this reference, and the payment is another account's or merchant's",
                request: nil)
        }
        return (inVain(pending, longestRest: Self.longestRestOfUnknown), .unchanged)
    }

    /// Returns the end of a hint whose query was in vain. Each such query doubles the cooldown, so that a client
    /// that repeats its genuine messages does not occupy the gateway.
    private func inVain(_ pending: PendingHint, longestRest: Duration) -> HintEnd {
        let rest = min(longestRest, .seconds(1 << min(pending.questionsInVain, 16)))
        return .inVain(restUntil: now() + rest)
    }

    /// The answer to the request under way usually says what the hint says.
    private static let pauseForAnswer = Duration.seconds(2)
    private static let pauseAfterSilence = Duration.seconds(30)
    private static let longestRest = Duration.seconds(60)
    static let longestRestOfUnknown = Duration.seconds(900)
}
