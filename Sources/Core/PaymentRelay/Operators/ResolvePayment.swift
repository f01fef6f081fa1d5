public import FoundationEssentials
import Logging
public import PayrelayPrimitives

/// An outcome that an operator can state for a payment or an operation that the gateway leaves open. The raw value
/// is the name that the operator uses.
public enum Resolution: String, CaseIterable, Sendable {
    case captured, authorized, declined, voided
    case notProcessed = "not_processed"
    /// A capture, a void or a refund was carried out.
    case done
}

/// An operator's statement about the outcome of an open payment, or of its open operation. It is for a gateway that
/// has informed the merchant, for example by telephone, but not through its API.
public struct ResolutionRequest: Sendable {
    public let merchantReference: String
    public let resolution: Resolution
    /// The amount in minor units of the payment's currency: the open operation's amount if an operation is open;
    /// the captured total if the resolution is ``Resolution/captured``; otherwise the order's amount.
    public let amount: MinorUnits
    /// The same amount, typed a second time.
    public let confirmation: MinorUnits
    /// The reason, in the operator's words. It is kept as the note of the history's entry, and erased with the
    /// customer's data.
    public let reason: OperatorNote
    public let operatorRequest: OperatorRequest
    /// The ``Payment/version`` that the operator saw; `nil` if it does not matter. If the payment has changed
    /// since, it is not resolved.
    public let basis: Int?

    public init(
        merchantReference: String, resolution: Resolution, amount: MinorUnits, confirmation: MinorUnits,
        reason: OperatorNote, by request: OperatorRequest, basis: Int? = nil
    ) {
        self.merchantReference = merchantReference
        self.resolution = resolution
        self.amount = amount
        self.confirmation = confirmation
        self.reason = reason
        operatorRequest = request
        self.basis = basis
    }
}

/// Why a payment, or its open operation, was not settled by hand. In every case nothing changed.
public enum ResolutionRefusal: Error, Sendable, Equatable {
    case noSuchPayment
    /// The operator's role does not permit it.
    case notPermitted
    /// The payment has changed since the operator saw it.
    case changedSince
    /// Neither the payment nor an operation on it is open.
    case notOpen(PaymentState)
    /// A request about the payment is on its way to the gateway, and its answer is expected.
    case requestUnderWay
    /// It is too early: until that moment, the gateway's answers may settle the payment.
    case tooEarly(until: Date)
    /// The open payment or operation cannot have this outcome.
    case notPossible(Resolution, possible: [Resolution])
    /// The two amounts differ.
    case amountsDiffer
    /// The amount is zero.
    case noAmount
    /// The amount must be this one. The text has the major unit and the currency.
    case otherAmount(expected: String)
    /// The amount must be at most this one. The text has the major unit and the currency.
    case tooLargeAmount(limit: String)
    case journal(JournalError)
}

extension ResolutionRefusal: CustomStringConvertible {
    /// A clause without a full stop, for operators.
    public var description: String {
        switch self {
        case .noSuchPayment: "there is no such payment"
        case .notPermitted: "the operator's role does not permit it"
        case .changedSince: "the payment has changed since it was looked at"
        case .notOpen(let state): "nothing of the payment is open: it is \(state.rawValue)"
        case .requestUnderWay: "a request about the payment is on its way to the gateway, and its answer is expected"
        case .tooEarly(let moment):
            "the gateway's answers may still end it: it can be settled by hand from \(moment.rfc3339) on"
        case .notPossible(let resolution, let possible):
            "what is open cannot be \(resolution.rawValue): it can be \(possible.map(\.rawValue).joined(separator: ", "))"
        case .amountsDiffer: "the two amounts differ"
        case .noAmount: "the amount must be more than zero"
        case .otherAmount(let expected): "the amount must be \(expected)"
        case .tooLargeAmount(let limit): "the amount must be at most \(limit)"
        case .journal(let error): "the journal failed: \(error)"
        }
    }
}

// MARK: The decision

extension Payment {
    /// The outcomes that an operator can state for the open payment or operation; empty if nothing is open.
    public var possibleResolutions: [Resolution] {
        if openOperation != nil { return [.done, .declined, .notProcessed] }
        guard state.isOpen else { return [] }
        // A purchase captures at once. It never holds money, so it cannot be authorized or voided.
        return command == .purchase
            ? [.captured, .declined, .notProcessed] : [.captured, .authorized, .declined, .voided, .notProcessed]
    }

    /// Returns the amount of a resolution, and whether it must be exactly this amount.
    ///
    /// Only an authorization can be captured in part. For every other statement the amount is known. The operator
    /// types it to show that this payment is meant, and not another one.
    public func amount(of resolution: Resolution) -> (most: MinorUnits, isExact: Bool) {
        if let openOperation { return (openOperation.amount, true) }
        return (amount, resolution != .captured || command == .purchase)
    }

    /// Checks that an operator can settle the payment, or its open operation, now.
    ///
    /// - Throws: ``ResolutionRefusal`` if nothing is open, or if the gateway's answers may still settle it.
    func requireResolvable(
        openFor: Duration, patience: NotFoundPatience, at moment: Date
    ) throws(ResolutionRefusal) {
        guard isOpen else { throw .notOpen(state) }
        guard !isBeingSent || lease.expiresAt <= moment else { throw .requestUnderWay }
        let wait = patience.duration(for: self)
        guard openFor >= wait else { throw .tooEarly(until: moment + (wait - openFor)) }
    }

    /// Returns the change that settles the open payment or operation as an operator states.
    ///
    /// - Parameters:
    ///   - openFor: how long it has been known that the outcome is open.
    ///   - occasion: the time of the decision, in whole milliseconds, and the operator.
    /// - Throws: ``ResolutionRefusal`` if the statement cannot be true, or the gateway's answers may still settle
    ///   the payment.
    func resolving(
        as resolution: Resolution, _ typed: MinorUnits, because reason: OperatorNote, openFor: Duration,
        patience: NotFoundPatience, on occasion: Occasion
    ) throws(ResolutionRefusal) -> Change {
        try requireResolvable(openFor: openFor, patience: patience, at: occasion.at)
        guard possibleResolutions.contains(resolution) else {
            throw .notPossible(resolution, possible: possibleResolutions)
        }
        guard typed > .zero else { throw .noAmount }
        let (most, isExact) = amount(of: resolution)
        guard !isExact || typed == most else { throw .otherAmount(expected: written(most)) }
        guard typed <= most else { throw .tooLargeAmount(limit: written(most)) }
        if let openOperation {
            return try resolving(openOperation, as: resolution, because: reason, on: occasion)
        }
        switch resolution {
        case .captured:
            // Totals never decrease.
            let captured = balance.forward(to: Balance(captured: typed))
            return resolving(to: captured.state(of: amount), captured, because: reason, on: occasion)
        case .authorized: return resolving(to: .authorized, balance, because: reason, on: occasion)
        case .declined: return resolving(to: .declined, balance, because: reason, on: occasion)
        case .voided: return resolving(to: .voided, balance, because: reason, on: occasion)
        case .notProcessed, .done: return resolving(to: .notProcessed, balance, because: reason, on: occasion)
        }
    }

    /// Returns the change of a payment whose charge is settled by hand. The data from an earlier answer about the
    /// charge stays, because the gateway's number distinguishes the charge from others.
    private func resolving(
        to next: PaymentState, _ stated: Balance, because reason: OperatorNote, on occasion: Occasion
    ) -> Change {
        var after = written
        after.state = next
        after.balance = stated
        after.summary[ResolvedByHand.member] = .string(occasion.at.rfc3339InMilliseconds)
        after.receipt = Receipt(
            of: self, state: next, answer: nil, reason: nil, unproven: unprovenMembers(after: nil),
            resolvedAt: occasion.at
        ).encoded()
        return Change(
            before: self, after: after, kind: .charge, reason: ResolvedByHand.words, on: occasion,
            statedBecause: reason)
    }

    /// Returns the change of a payment whose open operation is settled by hand.
    private func resolving(
        _ open: PaymentOperation, as resolution: Resolution, because reason: OperatorNote, on occasion: Occasion
    ) throws(ResolutionRefusal) -> Change {
        var after = written
        var ended = open
        switch resolution {
        case .done:
            guard let done = open.after.map(balance.forward), done.isPossible(for: amount) else {
                throw .notPossible(resolution, possible: possibleResolutions.filter { $0 != .done })
            }
            ended.state = .done
            after.balance = done
            let isVoid = open.command == .voidAuthorization && done.captured == .zero
            after.state = isVoid ? .voided : done.state(of: amount)
        case .declined: ended.state = .declined
        default: ended.state = .notProcessed
        }
        ended.changedAt = occasion.at
        ended.receipt = Receipt(of: ended, on: after, answer: nil, reason: nil, resolvedAt: occasion.at).encoded()
        after.operations[after.operations.count - 1] = ended
        after.summary[ResolvedByHand.member] = .string(occasion.at.rfc3339InMilliseconds)
        return Change(
            before: self, after: after, kind: EntryKind(ended.command),
            operation: EntryOperation(ended.identifier, ended.state),
            reason: words(of: ended, ": \(ended.state.rawValue)", ResolvedByHand.words), on: occasion,
            statedBecause: reason)
    }
}

// MARK: Marks in receipts and lists

/// The marks of a settlement by hand in receipts, lists and the history.
public enum ResolvedByHand {
    /// A member of receipts and lists: the time, in the form of RFC 3339, of the history's entry in which an
    /// operator settled the payment or the operation. A list has the newest such time of the payment.
    public static let member = "resolved_by_hand_at"
    static let words = "settled by hand"
}

extension Payment {
    /// Returns the entry of the payment's history in which an operator settled the charge; `nil` if the gateway's
    /// answer settled it, or the history no longer has the entry.
    public func resolution(in history: [HistoryEntry]) -> HistoryEntry? { history.resolution(saidIn: receipt) }
}

extension PaymentOperation {
    /// Returns the entry of the payment's history in which an operator settled the operation; `nil` if the
    /// gateway's answer settled it, or the history no longer has the entry.
    public func resolution(in history: [HistoryEntry]) -> HistoryEntry? { history.resolution(saidIn: receipt) }
}

extension [HistoryEntry] {
    fileprivate func resolution(saidIn receipt: [UInt8]?) -> HistoryEntry? {
        guard let receipt, let moment = (try? JSON(parsing: receipt))?[ResolvedByHand.member]?.stringValue
        else { return nil }
        return last { $0.operatorName != nil && $0.at.rfc3339InMilliseconds == moment }
    }
}

// MARK: Recording the statement

extension PaymentRelay {
    /// Returns why the open payment or operation cannot be settled by hand now; `nil` if an operator can settle it.
    ///
    /// It can be settled once the gateway's "not found" would be final (``Policy/notFoundAfter``,
    /// ``Policy/operationNotFoundAfter``). Until then the gateway's answers may settle it.
    public func obstacle(toResolving payment: Payment) async throws(JournalError) -> ResolutionRefusal? {
        let openFor = try await timeOpen(payment)
        do throws(ResolutionRefusal) {
            try payment.requireResolvable(openFor: openFor, patience: patience(for: payment), at: now())
            return nil
        } catch {
            return error
        }
    }

    /// Settles an open payment as an operator states: its open operation or, if none is open, its charge.
    ///
    /// A later verified answer of the gateway counts as it does for every settled payment, and operators are
    /// alerted to a contradiction.
    ///
    /// - Returns: the payment as it is recorded.
    /// - Throws: ``ResolutionRefusal``. Nothing has changed then, except possibly after
    ///   ``JournalError/outcomeUnknown(reason:)``.
    public func resolve(_ request: ResolutionRequest) async throws(ResolutionRefusal) -> Payment {
        let by = request.operatorRequest
        guard by.may(.resolvePayment) else { throw .notPermitted }
        guard request.amount == request.confirmation else { throw .amountsDiffer }
        // Each further attempt means that another request has changed the payment in between, or has leased it.
        for _ in 0..<Self.attempts {
            let known = try await journaled { () throws(JournalError) in
                try await self.known(request.merchantReference)
            }
            guard let (payment, openFor) = known else { throw .noSuchPayment }
            if let basis = request.basis, basis != payment.version { throw .changedSince }
            // In whole milliseconds, as journals keep times, so that the receipt has the time of the entry.
            let moment = EpochMilliseconds(now()).date
            let change = try payment.resolving(
                as: request.resolution, request.amount, because: request.reason, openFor: openFor,
                patience: patience(for: payment),
                on: Occasion(at: moment, origin: Origin(by), recordsEvents: policy.recordsEvents))
            let result = try await journaled { () throws(JournalError) in try await journal.commit(change) }
            guard result == .written else { continue }
            logger.notice(
                "settled by hand",
                metadata: [
                    "merchant_reference": "\(payment.merchantReference)", "operator": "\(by.operatorName)",
                    "as": "\(request.resolution.rawValue)", "request_id": "\(by.identifier)",
                ])
            return change.after
        }
        throw .journal(.contended)
    }

    private func known(_ merchantReference: String) async throws(JournalError) -> (Payment, openFor: Duration)? {
        guard let payment = try await journal.payment(merchantReference) else { return nil }
        return (payment, try await timeOpen(payment))
    }

    /// Returns how long it has been known that an outcome is open. For a request that is being sent, the time
    /// begins when its lease expires.
    private func timeOpen(_ payment: Payment) async throws(JournalError) -> Duration {
        payment.isBeingSent ? now() - payment.lease.expiresAt : try await timeUncertain(payment)
    }

    private func journaled<Value>(
        _ work: () async throws(JournalError) -> Value
    ) async throws(ResolutionRefusal) -> Value {
        do throws(JournalError) {
            return try await work()
        } catch {
            throw .journal(error)
        }
    }
}
