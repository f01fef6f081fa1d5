import FoundationEssentials
import Logging
import PayrelayPrimitives

/// R10: the gateway is queried (CHECK_STATUS) about an uncertain payment until a verified answer settles it.
extension PaymentRelay {
    /// Queries the gateway about a payment and its open operation, and records any news. If an instance is just
    /// sending a request about the payment, nothing is queried, because the answer to that request is expected.
    ///
    /// - Parameters:
    ///   - visible: as for ``payment(_:among:)``.
    ///   - request: the identifier of the HTTP request that caused the query; `nil` if none did.
    /// - Returns: the payment after the query; `nil` if there is no such payment.
    /// - Throws: ``JournalError/overloaded(reason:)`` if too many queries wait; another ``JournalError`` if the
    ///   answer could not be recorded.
    public func sync(
        _ merchantReference: String, among visible: VisiblePayments? = nil, request: String? = nil
    ) async throws(JournalError) -> Payment? {
        guard let known = try await payment(merchantReference, among: visible) else { return nil }
        return try await withSlot(in: syncs[known.gateway], as: visible?.client) { () throws(JournalError) in
            // Other queries may have changed the payment while this one waited.
            guard let payment = try await payment(merchantReference, among: visible) else { return nil }
            guard !payment.isBeingSent || payment.lease.expiresAt <= now() else { return payment }
            return try await queryStatus(of: payment, by: .client(visible?.client), request: request).payment
        }
    }

    /// Queries the gateway about a payment. The holder of the payment's lease may call this. Without the lease, it
    /// may be called at any time, but only after the lease has expired if the payment is being sent.
    ///
    /// A query that changes nothing is counted in the journal, apart from the payment.
    ///
    /// - Throws: an error also if the gateway's answer could not be recorded.
    func queryStatus(
        of known: Payment, by requester: StatusRequester, request: String? = nil
    ) async throws(JournalError) -> StatusQuery {
        var payment = known
        if payment.isBeingSent {
            let interrupted = await record(
                .interrupted, on: payment, from: Origin(.recovery, request: request, by: requester.operatorName))
            // Do not query a state that the journal does not have.
            guard interrupted.isJournaled else {
                throw .unavailable(reason: "the end of the interrupted request was not recorded")
            }
            payment = interrupted.payment
            guard payment.isOpen, !payment.isBeingSent else {
                return StatusQuery(payment: payment, answer: nil, wasAsked: false)
            }
        }
        // Measured before the query is sent: while its answer is under way, the request may still arrive.
        var timeUncertain = try await timeUncertain(payment)
        var (answered, other) = await gateways.status(of: payment)
        // An answer does not say when it was made. One that was delayed may be older than the charge. If one such
        // answer were enough, the customer could pay twice. So two answers in a row have to say the same.
        let origin = Origin(.checkStatus(by: requester), request: request)
        if payment.isChangedByTime(
            with: answered, timeUncertain: timeUncertain, on: Occasion(at: now(), origin: origin),
            patience: patience(for: payment))
        {
            let second = await gateways.status(of: payment)
            if !second.report.saysTheSame(as: answered) { timeUncertain = .zero }
            (answered, other) = second
        }
        var report = plausible(answered, for: payment, request: request)
        var isImplausible = report != answered
        var recorded = try await recordQuery(report, about: payment, timeUncertain: timeUncertain, from: origin)
        // A charge beside the payment's is recorded once the payment's outcome is known.
        if let other, !recorded.payment.isOpen {
            let beside = plausible(.answered(other), for: payment, request: request)
            let second = try await recordQuery(beside, about: recorded.payment, from: origin)
            // An answer about the other charge that decides nothing yet, for example because it names no amount, has to
            // be followed by another query.
            switch second.decision {
            case .record, .stillOpen: (recorded, report, isImplausible) = (second, beside, false)
            case .unchanged, nil: break
            }
        }
        let unchanged = recorded.decision?.withoutChange(after: report, isImplausible: isImplausible)
        // A contradiction that was just added to the history is not also counted as a query without a change.
        let isNewEntry = unchanged?.answer == .contradictory && recorded.payment.version != payment.version
        if let unchanged, !isNewEntry {
            await note(
                QueryWithoutChange(
                    about: payment, by: requester, answer: unchanged.answer, reason: unchanged.reason, at: now()),
                on: payment)
        }
        return StatusQuery(
            payment: recorded.payment, answer: unchanged?.answer, reason: unchanged?.reason,
            leavesTotalsUnsaid: report.leavesTotalsUnsaid)
    }

    /// Records the result of a query.
    ///
    /// - Throws: an error if the result could not be recorded, so that the gateway is queried again.
    func recordQuery(
        _ report: Outcome<GatewayAnswer>, about payment: Payment, timeUncertain: Duration = .zero, from origin: Origin
    ) async throws(JournalError) -> RecordedOutcome {
        let recorded = await record(.queried(report, timeUncertain: timeUncertain), on: payment, from: origin)
        guard recorded.isJournaled else {
            throw .unavailable(reason: "the answer of the gateway was not recorded")
        }
        return recorded
    }

    /// Counts a query that changed nothing. If the count cannot be written, nothing else depends on it.
    private func note(_ query: QueryWithoutChange, on payment: Payment) async {
        do throws(JournalError) {
            try await journal.record(query, of: payment.merchantReference)
        } catch {
            logger.warning(
                "query without a change not recorded",
                metadata: ["merchant_reference": "\(payment.merchantReference)", "error": "\(error)"])
        }
    }

    /// Returns the queries about a payment that changed nothing.
    public func queriesWithoutChange(
        of merchantReference: String
    ) async throws(JournalError) -> [QueryWithoutChange] {
        try await journal.queriesWithoutChange(of: merchantReference)
    }

    /// Returns the queries that changed nothing, for each of several payments.
    public func queriesWithoutChange(
        of merchantReferences: [String]
    ) async throws(JournalError) -> [String: [QueryWithoutChange]] {
        try await journal.queriesWithoutChange(of: merchantReferences)
    }

    /// Returns how long the payment, or its open operation, has been uncertain. If nothing is open, returns how
    /// long the payment has not changed.
    ///
    /// The time begins when the payment became uncertain, because sending had ended by then. At the claim, sending
    /// had not begun, and a slow journal may have delayed it.
    func timeUncertain(_ payment: Payment) async throws(JournalError) -> Duration {
        if let operation = payment.openOperation { return now() - operation.changedAt }
        let history = try await journal.history(of: payment.merchantReference)
        guard payment.state.isOpen else {
            let same = history.reversed().prefix { $0.state == payment.state && $0.balance == payment.balance }
            return now() - max(same.last?.at ?? payment.claimedAt, payment.operations.last?.changedAt ?? .distantPast)
        }
        // An operator's query adds an entry of the same state. It does not restart the wait.
        let last = history.reversed().drop { $0.state != .uncertain }.prefix { $0.state == .uncertain }
        guard let first = last.last else { return .zero }
        return now() - first.at
    }

    /// Makes the lease of a payment that is still open expire at `moment`.
    func release(_ payment: Payment, at moment: Date) async {
        do {
            try await journal.end(payment, as: .postponed(until: moment), at: now())
        } catch {
            logger.warning(
                "lease not released; it expires by itself",
                metadata: ["merchant_reference": "\(payment.merchantReference)", "error": "\(error)"])
        }
    }
}

/// The result of a query about a payment.
struct StatusQuery: Sendable {
    /// The payment after the query.
    let payment: Payment
    /// The result of a query that changed nothing; `nil` if the query changed the payment.
    let answer: QueryWithoutChange.Answer?
    /// The gateway's answer in words, or why there was none; `nil` if ``answer`` is `nil` or there is nothing to
    /// report.
    var reason: String?
    /// Whether the gateway says that money was captured or refunded, but not how much.
    var leavesTotalsUnsaid = false
    /// Whether the gateway was queried. It is not if the payment changed before the query, which may then be
    /// unnecessary.
    var wasAsked = true
}

extension Payment {
    /// Whether a request about the payment may be on its way to the gateway at this moment.
    var isBeingSent: Bool {
        state == .processing || openOperation?.state == .processing
    }
}

extension Outcome<GatewayAnswer> {
    fileprivate var leavesTotalsUnsaid: Bool {
        guard case .answered(let answer) = self else { return false }
        return [.captured, .refunded].contains(answer.meaning) && answer.moved == nil
    }
}

extension PaymentDecision {
    /// Returns the answer and the reason to record for a query that changed nothing; `nil` if it changed the
    /// payment.
    fileprivate func withoutChange(
        after report: Outcome<GatewayAnswer>, isImplausible: Bool
    ) -> (answer: QueryWithoutChange.Answer, reason: String?)? {
        if case .record(let change) = self {
            return change.noted == nil ? nil : (.contradictory, change.reason)
        }
        switch (report, self) {
        case (.notSent(let reason), _): return (.notSent, reason)
        case (.unknown(let reason), _): return (isImplausible ? .implausible : .unanswered, reason)
        case (.answered, .stillOpen(let reason)): return (.open, reason)
        case (.answered, _): return (.unchanged, nil)
        }
    }
}
