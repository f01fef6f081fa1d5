import FoundationEssentials
import Logging
public import PayrelayPrimitives

/// Actions of an operator beside capture, void and refund. A resending of events is in the payment's history; a question to the gateway
/// that changed nothing is counted beside it (``QueryWithoutChange``).
extension PaymentRelay {
    /// Asks the gateway what became of a payment.
    ///
    /// - Returns: how it ended; nil where there is no such payment.
    public func queryGateway(
        about merchantReference: String, by request: OperatorRequest
    ) async throws(JournalError) -> QueriedGateway? {
        guard request.may(.queryGateway) else { return .notPermitted }
        return try await queryGateway(
            about: merchantReference, by: .operator(request.operatorName), request: request.identifier)
    }

    /// Asks the gateway what became of a payment, for a command, which needs no role.
    ///
    /// - Returns: how it ended; nil where there is no such payment.
    public func queryGateway(
        about merchantReference: String, by asker: StatusAsker, request: String? = nil
    ) async throws(JournalError) -> QueriedGateway? {
        guard let before = try await journal.payment(merchantReference) else { return nil }
        guard !before.isBeingSent || before.lease.expiresAt <= now() else { return .requestUnderWay }
        let query = try await queryStatus(of: before, by: asker, request: request)
        guard query.wasAsked else { return .requestUnderWay }
        if query.payment.version != before.version { return .changed }
        switch query.answer {
        case nil, .open, .unchanged, .contradictory: return .unchanged
        case .unanswered, .implausible: return .unanswered(reason: query.reason ?? "")
        case .notSent: return .notSent(reason: query.reason ?? "")
        }
    }

    /// Sends every event of a payment to the merchant's backend again.
    ///
    /// - Returns: how it ended; nil where there is no such payment.
    public func resendEvents(
        of merchantReference: String, by request: OperatorRequest
    ) async throws(JournalError) -> ResentEvents? {
        guard request.may(.resendEvents) else { return .notPermitted }
        guard let payment = try await journal.payment(merchantReference) else { return nil }
        guard !payment.isBeingSent else { return .beingSent }
        guard try await journal.resendEvents(of: merchantReference, since: .distantPast, at: now()) else {
            return .noEvents
        }
        try await noteResend("the events are sent again", on: merchantReference, by: request)
        return .resent
    }

    /// Sends the events again that wait in dead-lettered payments, of a bounded number of payments.
    public func resendFailedEvents(by request: OperatorRequest) async throws(JournalError) -> ResentFailedEvents {
        guard request.may(.resendEvents) else { return .notPermitted }
        let failed = try await journal.list(.deadLettered, after: nil, limit: Self.resentAtOnce + 1)
        var (count, areMore) = (0, failed.count > Self.resentAtOnce)
        for place in failed.prefix(Self.resentAtOnce) {
            do throws(JournalError) {
                guard let payment = try await journal.payment(place.merchantReference) else { continue }
                guard !payment.isBeingSent else {
                    areMore = true
                    continue
                }
                guard try await journal.resendEvents(of: place.merchantReference, since: nil, at: now()) else {
                    continue
                }
                count += 1
                try await noteResend("the events that failed are sent again", on: place.merchantReference, by: request)
            } catch {
                switch error {
                // The journal has called its observer with the record.
                case .unreadable, .contended: continue
                case .unavailable, .outcomeUnknown, .overloaded: throw error
                }
            }
        }
        logger.notice(
            "failed events are sent again", metadata: ["operator": "\(request.operatorName)", "payments": "\(count)"])
        return .resent(payments: count, areMore: areMore)
    }

    /// Some seconds of a journal's work.
    static let resentAtOnce = 500

    /// Payments that are open, the longest open first.
    public func openPayments(limit: Int) async throws(JournalError) -> [Payment] {
        try await journal.openPayments(limit: limit)
    }

    /// Payments whose next event was refused for too long, the longest waiting first.
    public func deadLetteredPayments(limit: Int) async throws(JournalError) -> [PaymentCursor] {
        try await journal.list(.deadLettered, after: nil, limit: limit)
    }

    /// Payments with an event that was not delivered within a minute, and is still sent, the longest waiting first.
    public func undeliveredPayments(limit: Int) async throws(JournalError) -> [PaymentCursor] {
        try await journal.list(.undelivered(waitingBefore: now() - .seconds(60)), after: nil, limit: limit)
    }

    /// Returns the amount for which an operation is possible: the requested one, or all that is left if `amount` is
    /// nil.
    ///
    /// - Throws: the reason why the operation is not possible.
    public func permits(
        _ command: OperationCommand, on payment: Payment, amount: MinorUnits? = nil
    ) throws(OperationRefusal) -> MinorUnits {
        try payment.permit(command, amount: amount)
    }

    /// An operation of the same amount that was begun within a day, and was not in vain: perhaps it is the one that is wanted.
    public func recentEqual(
        to command: OperationCommand, of amount: MinorUnits, on payment: Payment
    ) -> PaymentOperation? {
        payment.operations.last {
            $0.command == command && $0.amount == amount && ![.declined, .notProcessed].contains($0.state)
                && now() - $0.begunAt < .seconds(86_400)
        }
    }

    /// Whether a payment has been open for too long.
    public func isOverdue(_ payment: Payment) -> Bool {
        payment.openSince.map { !notOverdue.contains($0) } ?? false
    }

    /// When open payments were opened that are not overdue.
    var notOverdue: ClosedRange<Date> { now().within(policy.overdueAfter) }

    /// Adds an entry to a payment's history that changes nothing.
    ///
    /// It counts as a change for the optimistic lock. So there must be none while a request about the payment is on its way to the
    /// gateway: the answer would have to be asked for again.
    private func noteResend(
        _ reason: String, on merchantReference: String, by request: OperatorRequest
    ) async throws(JournalError) {
        for _ in 0..<Self.attempts {
            guard let payment = try await journal.payment(merchantReference) else { return }
            let change = payment.noting(.resend, reason, on: occasion(Origin(request)))
            if try await journal.commit(change) == .written { return }
        }
        throw .contended
    }
}

/// How it ended that an operator, or a command, asked the gateway.
public enum QueriedGateway: Sendable, Equatable {
    /// The gateway said something new.
    case changed
    /// The gateway said what was known, or that it does not know yet.
    case unchanged
    /// It did not answer, or its answer proves nothing.
    case unanswered(reason: String)
    /// It could not be asked: nothing was sent.
    case notSent(reason: String)
    /// Nothing was asked: a request about the payment is on its way, and its answer is expected.
    case requestUnderWay
    /// The operator's role does not permit it. Nothing was asked.
    case notPermitted

    /// Why the gateway has not answered; nil where it has, or a request is on its way.
    public var reasonOfSilence: String? {
        switch self {
        case .unanswered(let reason), .notSent(let reason): reason
        case .changed, .unchanged, .requestUnderWay, .notPermitted: nil
        }
    }
}

/// How it ended that an operator wanted events sent again.
public enum ResentEvents: Sendable, Equatable {
    case resent
    /// The payment has none. Nothing was done.
    case noEvents
    /// Nothing was done: a request about the payment is on its way. It can be tried again once that has its answer.
    case beingSent
    /// The operator's role does not permit it. Nothing was done.
    case notPermitted
}

/// How it ended that an operator wanted all failed events sent again.
public enum ResentFailedEvents: Sendable, Equatable {
    /// - areMore: whether events of other payments are left that can be sent: of more than are sent at once, or of those about which a
    ///   request is on its way.
    case resent(payments: Int, areMore: Bool)
    /// The operator's role does not permit it. Nothing was done.
    case notPermitted
}
