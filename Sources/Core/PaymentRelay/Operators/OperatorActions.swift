import FoundationEssentials
import Logging
public import PayrelayPrimitives

/// Actions of an operator, except captures, voids and refunds. When events are sent again, the payment's history
/// has an entry. A query to the gateway that changed nothing is only counted (``QueryWithoutChange``).
extension PaymentRelay {
    /// Queries the gateway about a payment.
    ///
    /// - Returns: the result; `nil` if there is no such payment.
    public func queryGateway(
        about merchantReference: String, by request: OperatorRequest
    ) async throws(JournalError) -> QueriedGateway? {
        guard request.may(.queryGateway) else { return .notPermitted }
        return try await queryGateway(
            about: merchantReference, by: .operator(request.operatorName), request: request.identifier)
    }

    /// Queries the gateway about a payment for a command, which needs no role.
    ///
    /// - Returns: the result; `nil` if there is no such payment.
    public func queryGateway(
        about merchantReference: String, by requester: StatusRequester, request: String? = nil
    ) async throws(JournalError) -> QueriedGateway? {
        guard let before = try await journal.payment(merchantReference) else { return nil }
        guard !before.isBeingSent || before.lease.expiresAt <= now() else { return .requestUnderWay }
        let query = try await queryStatus(of: before, by: requester, request: request)
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
    /// - Returns: the result; `nil` if there is no such payment.
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

    /// Sends the waiting events of dead-lettered payments again, for a bounded number of payments.
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

    /// The number of payments per call, which takes a journal some seconds.
    static let resentAtOnce = 500

    /// Returns the payments that are open, the longest open first.
    public func openPayments(limit: Int) async throws(JournalError) -> [Payment] {
        try await journal.openPayments(limit: limit)
    }

    /// Returns the payments whose next event was refused for too long, the longest waiting first.
    public func deadLetteredPayments(limit: Int) async throws(JournalError) -> [PaymentCursor] {
        try await journal.list(.deadLettered, after: nil, limit: limit)
    }

    /// Returns the payments with an event that has not been delivered within a minute and is still sent, the
    /// longest waiting first.
    public func undeliveredPayments(limit: Int) async throws(JournalError) -> [PaymentCursor] {
        try await journal.list(.undelivered(waitingBefore: now() - .seconds(60)), after: nil, limit: limit)
    }

    /// Returns the amount for which an operation is possible: the requested one or, if `amount` is `nil`, all that
    /// is left.
    ///
    /// - Throws: the reason why the operation is not possible.
    public func permits(
        _ command: OperationCommand, on payment: Payment, amount: MinorUnits? = nil
    ) throws(OperationRefusal) -> MinorUnits {
        try payment.permit(command, amount: amount)
    }

    /// Returns an operation of the same amount that began within a day and was neither declined nor left
    /// unprocessed; `nil` if there is none. Perhaps it is the operation that the operator wants.
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

    /// The times at which payments that are not overdue were opened.
    var notOverdue: ClosedRange<Date> { now().within(policy.overdueAfter) }

    /// Adds an entry to a payment's history without changing the payment otherwise.
    ///
    /// The entry counts as a change for the optimistic lock. So this must not be called while a request about the
    /// payment is on its way to the gateway: the request's change would find another version.
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

/// The result of an operator's or a command's query to the gateway.
public enum QueriedGateway: Sendable, Equatable {
    /// The gateway's answer was new.
    case changed
    /// The gateway's answer was known already, or the gateway does not know yet.
    case unchanged
    /// The gateway did not answer, or its answer proves nothing.
    case unanswered(reason: String)
    /// The gateway could not be queried. Nothing was sent.
    case notSent(reason: String)
    /// Nothing was queried: a request about the payment is on its way, and its answer is expected.
    case requestUnderWay
    /// The operator's role does not permit it. Nothing was queried.
    case notPermitted

    /// Why the gateway has not answered; `nil` if it has, or if it was not queried.
    public var reasonOfSilence: String? {
        switch self {
        case .unanswered(let reason), .notSent(let reason): reason
        case .changed, .unchanged, .requestUnderWay, .notPermitted: nil
        }
    }
}

/// The result of an operator's request to send a payment's events again.
public enum ResentEvents: Sendable, Equatable {
    case resent
    /// The payment has no events. Nothing was done.
    case noEvents
    /// Nothing was done: a request about the payment is on its way. The operator can repeat this once the request
    /// is answered.
    case beingSent
    /// The operator's role does not permit it. Nothing was done.
    case notPermitted
}

/// The result of an operator's request to send all failed events again.
public enum ResentFailedEvents: Sendable, Equatable {
    /// - areMore: whether more events can be sent: of payments beyond the number per call, or of payments about
    ///   which a request was on its way.
    case resent(payments: Int, areMore: Bool)
    /// The operator's role does not permit it. Nothing was done.
    case notPermitted
}
