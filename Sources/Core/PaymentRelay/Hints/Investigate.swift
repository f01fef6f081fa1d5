import FoundationEssentials
import PayrelayPrimitives

/// R11, R12: a hint makes the relay query the gateway. The answer decides, by the same rules as any answer to
/// CHECK_STATUS.
extension PaymentRelay {
    /// Queries the gateway about the payment of a hint. ``HintPlan`` decides whether, and ``HintVerdict`` what follows
    /// for the hint.
    ///
    /// - Returns: the end of the hint's lease, and the result for the metrics.
    func investigate(_ pending: PendingHint) async throws(JournalError) -> (HintEnd, Investigation) {
        let payment = try await journal.payment(pending.hint.merchantReference)
        let account = payment.flatMap { gateways.account(of: $0) }
        switch HintPlan(for: pending, about: payment, in: account, at: now()) {
        case .queryUnknown: return try await investigateUnknown(pending)
        case .queryOtherAccount: return await investigateOtherAccount(pending)
        case .waitForAnswer: return (.postponed(until: now() + HintVerdict.pauseForAnswer), .postponed)
        case .nothing: return (.answered, .known)
        case .query(let payment): return try await investigate(pending, about: payment)
        }
    }

    /// Queries the gateway about a hint's payment, and then about each charge whose number a hint names.
    private func investigate(
        _ pending: PendingHint, about payment: Payment
    ) async throws(JournalError) -> (HintEnd, Investigation) {
        let lastArrival = try await lastArrival(payment)
        let query = try await queryStatus(of: payment, by: .notification(pending.kind))
        alertToOtherCurrency(in: pending.hint, of: payment, paid: query.payment.state.hasMoney)
        let end: HintEnd
        switch HintVerdict(for: pending, after: query, about: payment, lastArrival: lastArrival, at: now()) {
        case .wait(let moment): return (.postponed(until: moment), .postponed)
        case .queryCharges(let afterwards): end = afterwards
        }
        switch try await queryCharges(named: pending, of: query.payment) {
        case .changed:
            if case .inVain = end { return (.answered, .changed) }
            return (end, .changed)
        case .postponed: return (.postponed(until: now() + HintVerdict.pauseAfterSilence), .postponed)
        case .known, .unchanged, .failed: return (end, query.isNews(since: payment) ? .changed : .unchanged)
        }
    }

    /// Alerts an operator if a payment that was declined elsewhere is paid, and a notification says in another
    /// currency. No answer of a gateway states the currency.
    private func alertToOtherCurrency(in hint: GatewayHint, of payment: Payment, paid: Bool) {
        guard payment.isMadeElsewhere, payment.state == .declined, paid,
            let currency = hint.currency, currency != payment.currency
        else { return }
        alert(
            Implausibility(
                kind: .otherCurrency,
                detail: "declined in \(payment.currency); paid, and a notification says in \(currency)"),
            about: hint.merchantReference, request: nil)
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
            // A charge beside the payment's is recorded once the payment's outcome is known.
            if payment.state.isOpen, payment.isReferenceOfCharge { return .postponed }
            let recorded = try await recordQuery(
                plausible(report, for: payment, request: nil), about: payment, from: origin)
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
            return max(open.begunAt + policy.operationNotFoundAfter, now() + HintVerdict.pauseForAnswer)
        }
        let recent = payment.operations.filter { operation in
            operation.state == .done && operation.begunAt + policy.operationNotFoundAfter > now()
        }
        guard !recent.isEmpty else { return nil }
        let settledByQuery = try await journal.history(of: payment.merchantReference).filter {
            $0.source?.requester != nil
        }
        return recent.last { operation in
            settledByQuery.contains { $0.operation == EntryOperation(operation.identifier, .done) }
        }
        .map { $0.begunAt + policy.operationNotFoundAfter }
    }

    /// Records a payment that no client of this service made, as far as the gateway's answer proves it.
    private func investigateUnknown(_ pending: PendingHint) async throws(JournalError) -> (HintEnd, Investigation) {
        let hint = pending.hint
        guard let gateway = gateways.gateway(ofAccount: hint.account),
            case .answered(let answer) = await gateway.status(of: hint.merchantReference, account: hint.account)
        else { return (.postponed(until: now() + HintVerdict.pauseAfterSilence), .postponed) }
        guard
            let found = Change(
                toPaymentMadeElsewhere: answer, hint: hint, gateway: gateway.name,
                merchantIdentifier: gateways.merchantIdentifier(ofAccount: hint.account),
                on: occasion(Origin(.checkStatus(by: .notification(pending.kind)), request: nil)))
        else {
            return (.inVain(after: pending, longest: HintVerdict.longestCooldownOfUnknown, at: now()), .unchanged)
        }
        guard gateways.account(hint.account, takes: found.after.currency) else {
            alert(
                Implausibility(
                    kind: .otherCurrency,
                    detail:
                        "the account \(hint.account) does not take \(found.after.currency), and only a notification says so"
                ),
                about: hint.merchantReference, request: nil)
            return (.inVain(after: pending, longest: HintVerdict.longestCooldownOfUnknown, at: now()), .unchanged)
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
        else { return (.postponed(until: now() + HintVerdict.pauseAfterSilence), .postponed) }
        if answer.isOfCharge {
            alert(
                .chargeInOtherAccount, about: hint.merchantReference,
                detail:
                    "the account \(hint.account) has a charge of this reference, and the payment is another account's or merchant's",
                request: nil)
        }
        return (.inVain(after: pending, longest: HintVerdict.longestCooldownOfUnknown, at: now()), .unchanged)
    }
}
