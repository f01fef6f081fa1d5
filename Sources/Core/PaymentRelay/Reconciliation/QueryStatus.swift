import FoundationEssentials
import Logging
import PayrelayPrimitives

/// R10: what is uncertain is asked (CHECK_STATUS) until a verified answer settles it.
extension PaymentRelay {
    /// Asks the gateway what became of a payment and of its operations, and records what is new. What any instance is
    /// just sending is left alone: its own answer is on the way.
    ///
    /// - Parameters:
    ///   - visible: as for ``payment(_:among:)``.
    ///   - request: the HTTP request that asks for it; nil where none does.
    /// - Returns: the payment as it stands afterwards, if any.
    /// - Throws: ``JournalError/overloaded(reason:)`` where too many wait for it; where the answer could not be recorded, too.
    public func sync(
        _ merchantReference: String, among visible: VisiblePayments? = nil, request: String? = nil
    ) async throws(JournalError) -> Payment? {
        guard let known = try await payment(merchantReference, among: visible) else { return nil }
        return try await withPlace(in: syncs[known.gateway], as: visible?.client) { () throws(JournalError) in
            // Others may have asked while this one waited.
            guard let payment = try await payment(merchantReference, among: visible) else { return nil }
            guard !payment.isBeingSent || payment.lease.expiresAt <= now() else { return payment }
            return try await queryStatus(of: payment, by: .client(visible?.client), request: request).payment
        }
    }

    /// Asks as the holder of the payment's lease. Without the lease, a payment that is being sent may be asked about once its lease has
    /// expired, and any other at any time.
    ///
    /// A question that changes nothing is counted in the journal, apart from the payment.
    ///
    /// - Throws: where the gateway's answer could not be recorded, too.
    func queryStatus(
        of known: Payment, by asker: StatusAsker, request: String? = nil
    ) async throws(JournalError) -> StatusQuery {
        var payment = known
        if payment.isBeingSent {
            let interrupted = await record(
                .interrupted, on: payment, from: Origin(.recovery, request: request, by: asker.operatorName))
            // Nothing is built on a state that the journal does not have.
            guard interrupted.isJournaled else {
                throw .unavailable(reason: "the end of the interrupted request was not recorded")
            }
            payment = interrupted.payment
            guard payment.isOpen, !payment.isBeingSent else {
                return StatusQuery(payment: payment, answer: nil, wasAsked: false)
            }
        }
        // Taken before the query is sent: while its answer is under way, the request may still arrive.
        var timeUncertain = try await timeUncertain(payment)
        var answered = await gateways.status(of: payment)
        // An answer does not say when it was made. One that was kept on its way may be older than the charge; believed alone, it would
        // have the customer pay twice. So two in a row have to say the same.
        let origin = Origin(.checkStatus(by: asker), request: request)
        if payment.isChangedByTime(
            with: answered, timeUncertain: timeUncertain, on: Occasion(at: now(), origin: origin),
            patience: policy.patience)
        {
            let second = await gateways.status(of: payment)
            if !second.saysTheSame(as: answered) { timeUncertain = .zero }
            answered = second
        }
        let report = plausible(answered, for: payment, request: request)
        let recorded = await record(
            .queried(report, timeUncertain: timeUncertain), on: payment, from: origin)
        guard recorded.isJournaled else {
            throw .unavailable(reason: "the answer of the gateway was not recorded")
        }
        let unchanged = recorded.decision?.withoutChange(after: report, isImplausible: report != answered)
        // A contradiction that has just become an entry of the history is not counted beside it.
        let isNewEntry = unchanged?.answer == .contradictory && recorded.payment.version != payment.version
        if let unchanged, !isNewEntry {
            await note(
                QueryWithoutChange(
                    about: payment, by: asker, answer: unchanged.answer, reason: unchanged.reason, at: now()),
                on: payment)
        }
        return StatusQuery(
            payment: recorded.payment, answer: unchanged?.answer, reason: unchanged?.reason,
            leavesTotalsUnsaid: report.leavesTotalsUnsaid)
    }

    /// Nothing depends on it: where it cannot be written, the question was asked all the same.
    private func note(_ query: QueryWithoutChange, on payment: Payment) async {
        do throws(JournalError) {
            try await journal.record(query, of: payment.merchantReference)
        } catch {
            logger.warning(
                "question without a change not recorded",
                metadata: ["merchant_reference": "\(payment.merchantReference)", "error": "\(error)"])
        }
    }

    /// The questions about a payment that changed nothing.
    public func queriesWithoutChange(
        of merchantReference: String
    ) async throws(JournalError) -> [QueryWithoutChange] {
        try await journal.queriesWithoutChange(of: merchantReference)
    }

    /// Those about each of several payments.
    public func queriesWithoutChange(
        of merchantReferences: [String]
    ) async throws(JournalError) -> [String: [QueryWithoutChange]] {
        try await journal.queriesWithoutChange(of: merchantReferences)
    }

    /// Returns how long the payment, or its open operation, has been uncertain; if nothing is open, how long the payment has been as it is.
    ///
    /// Sending had ended when it became uncertain; when it was claimed, sending had yet to begin, and a slow journal may have held it up.
    func timeUncertain(_ payment: Payment) async throws(JournalError) -> Duration {
        if let operation = payment.openOperation { return now() - operation.changedAt }
        let history = try await journal.history(of: payment.merchantReference)
        guard payment.state.isOpen else {
            let same = history.reversed().prefix { $0.state == payment.state && $0.balance == payment.balance }
            return now() - max(same.last?.at ?? payment.claimedAt, payment.operations.last?.changedAt ?? .distantPast)
        }
        // An operator's question adds an entry of the same state. It does not begin the wait again.
        let last = history.reversed().drop { $0.state != .uncertain }.prefix { $0.state == .uncertain }
        guard let first = last.last else { return .zero }
        return now() - first.at
    }

    /// Lets the lease of a payment that is still open end at `moment`.
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

/// How a question about a payment ended.
struct StatusQuery: Sendable {
    /// The payment after the question.
    let payment: Payment
    /// Result of a question that changed nothing; nil if it changed the payment.
    let answer: QueryWithoutChange.Answer?
    /// The gateway's answer in words, or why there was none; nil if ``answer`` is nil or there is nothing to report.
    var reason: String?
    /// Whether the gateway says that money was captured or refunded, and not how much.
    var leavesTotalsUnsaid = false
    /// False where the payment was changed before the question: it may need none any more.
    var wasAsked = true
}

extension Payment {
    /// Whether a request about it may be on its way to the gateway at this moment.
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
    /// Returns the answer and the reason to record for a question that changed nothing; nil if it changed the payment.
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
