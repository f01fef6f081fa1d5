public import FoundationEssentials

/// The operator who works on a payment that needs attention, so that two operators do not work on it. It does not
/// forbid anything to other operators.
public struct Taken: Sendable, Equatable {
    public let operatorName: String
    public let at: Date

    public init(by operatorName: String, at moment: Date) {
        self.operatorName = operatorName
        at = moment
    }
}

/// Actions with which an operator marks a payment and its history, without changing money.
extension PaymentRelay {
    /// Writes a note on a payment.
    ///
    /// - Returns: the result; `nil` if there is no such payment.
    public func write(
        _ note: OperatorNote, on merchantReference: String, by request: OperatorRequest
    ) async throws(JournalError) -> MarkedPayment? {
        guard request.may(.writeNote) else { return .notPermitted }
        return try await mark(merchantReference, .note, "note written", note: note, by: request) { payment in
            payment.holdsCustomerData = true
            return nil
        }
    }

    /// Takes a payment for the operator. A payment that another operator has taken stays with that operator.
    ///
    /// - Returns: the result; `nil` if there is no such payment.
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

    /// Hands a payment back. To hand back another operator's payment, the role must permit
    /// ``OperatorAction/releasePayment``.
    ///
    /// - Returns: the result; `nil` if there is no such payment.
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

    /// Changes a payment without changing its money.
    ///
    /// - Parameter change: changes the payment as it was read. It returns a result if nothing is to be written.
    private func mark(
        _ merchantReference: String, _ kind: EntryKind, _ reason: String, note: OperatorNote? = nil,
        by request: OperatorRequest, change: (inout Payment) -> MarkedPayment?
    ) async throws(JournalError) -> MarkedPayment? {
        for _ in 0..<Self.attempts {
            guard let payment = try await journal.payment(merchantReference) else { return nil }
            // The change to be made by the request under way would find another version.
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

/// The result of an operator's request to write a note, or to take or hand back a payment.
public enum MarkedPayment: Sendable, Equatable {
    case done
    /// Nothing was done: another operator has taken the payment.
    case takenByAnother(String)
    /// Nothing was done: a request about the payment is on its way, and its answer is expected.
    case requestUnderWay
    /// The operator's role does not permit it. Nothing was done.
    case notPermitted
}
