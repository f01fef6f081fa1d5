public import FoundationEssentials

/// Who works on a payment that needs attention, so that no two operators do. It forbids nothing to others.
public struct Taken: Sendable, Equatable {
    public let operatorName: String
    public let at: Date

    public init(by operatorName: String, at moment: Date) {
        self.operatorName = operatorName
        at = moment
    }
}

/// What an operator adds to a payment and its history without changing anything of its money.
extension PaymentRelay {
    /// Writes a note on a payment.
    ///
    /// - Returns: how it ended; nil where there is no such payment.
    public func write(
        _ note: OperatorNote, on merchantReference: String, by request: OperatorRequest
    ) async throws(JournalError) -> MarkedPayment? {
        guard request.may(.writeNote) else { return .notPermitted }
        return try await mark(merchantReference, .note, "note written", note: note, by: request) { payment in
            payment.holdsCustomerData = true
            return nil
        }
    }

    /// Takes a payment. Another operator's stays taken.
    ///
    /// - Returns: how it ended; nil where there is no such payment.
    public func take(
        _ merchantReference: String, by request: OperatorRequest
    ) async throws(JournalError) -> MarkedPayment? {
        guard request.may(.takePayment) else { return .notPermitted }
        let moment = now()
        return try await mark(merchantReference, .assignment, "taken", by: request) { payment in
            if let taken = payment.taken {
                return taken.operatorName == request.operatorName ? .done : .takenByAnother(taken.operatorName)
            }
            payment.taken = Taken(by: request.operatorName, at: moment)
            return nil
        }
    }

    /// Gives a payment back. Another operator's takes the permission for it.
    ///
    /// - Returns: how it ended; nil where there is no such payment.
    public func release(
        _ merchantReference: String, by request: OperatorRequest
    ) async throws(JournalError) -> MarkedPayment? {
        guard request.may(.takePayment) else { return .notPermitted }
        return try await mark(merchantReference, .assignment, "released", by: request) { payment in
            guard let taken = payment.taken else { return .done }
            guard taken.operatorName == request.operatorName || request.may(.releasePayment) else {
                return .takenByAnother(taken.operatorName)
            }
            payment.taken = nil
            return nil
        }
    }

    /// - Parameter change: of the payment as it was read; a result where nothing is to be written.
    private func mark(
        _ merchantReference: String, _ kind: EntryKind, _ reason: String, note: OperatorNote? = nil,
        by request: OperatorRequest, change: (inout Payment) -> MarkedPayment?
    ) async throws(JournalError) -> MarkedPayment? {
        for _ in 0..<Self.attempts {
            guard let payment = try await journal.payment(merchantReference) else { return nil }
            // The answer to what is on its way would have to be asked for again.
            guard !payment.isBeingSent || payment.lease.expiresAt <= now() else { return .requestUnderWay }
            var marked = payment
            if let result = change(&marked) { return result }
            let change = Change(
                before: payment, after: marked, kind: kind, origin: Origin(request), reason: reason, note: note?.text,
                at: now())
            if try await journal.commit(change) == .written { return .done }
        }
        throw .contended
    }
}

/// How it ended that an operator wanted to write on a payment, to take or to release it.
public enum MarkedPayment: Sendable, Equatable {
    case done
    /// Nothing was done: another operator has taken it.
    case takenByAnother(String)
    /// Nothing was done: a request about the payment is on its way, and its answer is expected.
    case requestUnderWay
    /// The operator's role does not permit it. Nothing was done.
    case notPermitted
}
