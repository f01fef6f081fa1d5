import PayrelayAPI

/// Decides what follows each attempt to pay or to look up a payment. Does no I/O and has no clock.
///
/// It follows two rules:
///
/// - The same bytes are sent again until the relay has given a final response.
/// - If an attempt may have arrived, only the relay's statement about the payment can decide whether the customer
///   was charged.
struct PaymentAttempts {
    enum Step: Equatable {
        /// `POST /v1/payments`, always with the same bytes.
        case pay
        /// `GET /v1/payments/{merchant_reference}`.
        case read
    }

    enum Action {
        /// - Parameter retryAfter: the relay's `Retry-After`, in seconds.
        case attempt(Step, retryAfter: Double?)
        /// Request a new order token from the app, then look up the payment.
        case authenticateAndRead
        case finish(Result<PaymentResult, RelayError>)
    }

    /// The result of an attempt.
    enum Event {
        case answered(RelayAnswer)
        case failed(TransportFailure)
    }

    /// The knowledge from the attempts so far.
    private enum Knowledge {
        /// No request to pay can have reached the relay, or nothing is known about a payment that is looked up.
        ///
        /// - Parameter retryAfter: the time that the relay last asked to wait, in seconds.
        case nothing(retryAfter: Double?)
        /// The relay has no such payment. Only for a payment that is looked up.
        case missing
        /// The last response says that the gateway was not reached. Only for a payment that is looked up, and only
        /// until the next attempt: another request may have reached the gateway since.
        case notSent(PaymentDocument)
        /// A request to pay may have reached the relay.
        case mayHaveArrived
        /// The relay has reported that the payment is under way.
        case underWay
        /// The relay's last document about the payment. Its outcome is open.
        case open(PaymentDocument)
    }

    /// Whether the relay may still accept the request to pay.
    private enum Acceptance {
        case possible
        /// The relay refuses these bytes each time. An earlier attempt may have paid all the same.
        case refused
        /// The relay refuses these bytes because another request has the reference.
        ///
        /// - Parameters:
        ///   - wasFirst: whether the other request came before any attempt of this payment that may have arrived.
        ///   - other: the other request's payment, if the relay has shown it and its outcome is open.
        case referenceTaken(wasFirst: Bool, by: PaymentDocument?)
    }

    private var knowledge = Knowledge.nothing(retryAfter: nil)
    private var acceptance = Acceptance.possible
    private var hasRenewedToken = false
    /// Whether there is a payment to make. If not, a payment is only looked up.
    private let pays: Bool

    /// The problems with which the relay always responds to the same bytes, except a taken reference.
    private static let refusedEachTime: Set<ProblemKind> = [
        .invalidFields, .notJSON, .notAuthenticated, .notPermitted, .otherOrder, .tokenRefused, .simulatorToken,
        .tokenUsed,
    ]

    init(pays: Bool) {
        self.pays = pays
    }

    /// Whether a request to pay may have reached the relay.
    var mayHaveArrived: Bool {
        switch knowledge {
        case .nothing, .missing, .notSent: false
        case .mayHaveArrived, .underWay, .open: true
        }
    }

    /// Returns the action that follows an event of an attempt.
    ///
    /// - Parameter canPay: whether the Apple Pay token is still fresh enough to be sent.
    mutating func next(after event: Event, of step: Step, canPay: Bool) -> Action {
        if case .notSent = knowledge { knowledge = .nothing(retryAfter: nil) }
        switch event {
        case .answered(.payment(let document, let retryAfter)):
            return next(after: document, retryAfter, canPay: canPay)
        case .answered(.otherPayment(let document, let retryAfter)) where step == .read && isReferenceTaken:
            return next(afterOther: document, retryAfter)
        // Unless the relay has reported that the reference is taken, another payment's document proves nothing.
        case .answered(.otherPayment(_, let retryAfter)), .answered(.foreign(let retryAfter)):
            return again(after: retryAfter, canPay: canPay, mayHaveArrived: step == .pay)
        case .answered(.problem(let problem, let retryAfter)):
            return step == .pay
                ? next(after: problem, retryAfter, canPay: canPay)
                : nextRead(after: problem, retryAfter, canPay: canPay)
        case .failed(.insecure(let detail)) where !mayHaveArrived:
            return .finish(.failure(.insecureConnection(detail: detail)))
        case .failed(.notSent), .failed(.insecure):
            return again(after: nil, canPay: canPay, mayHaveArrived: false)
        case .failed(.lost):
            return again(after: nil, canPay: canPay, mayHaveArrived: step == .pay)
        }
    }

    /// Returns the result when the time limit has passed.
    func atDeadline() -> Result<PaymentResult, RelayError> {
        switch (knowledge, acceptance) {
        case (.open(let document), _): .success(.uncertain(document))
        case (_, .referenceTaken(_, let other?)): .failure(.referenceTaken(by: other))
        case (.underWay, _): .success(.uncertain(nil))
        case (.missing, _): .failure(.noSuchPayment)
        case (.notSent(let document), _): .success(.notProcessed(document))
        case (.mayHaveArrived, _): .failure(.noAnswer)
        case (.nothing(let retryAfter), _): .failure(pays ? .nothingWasSent(retryAfter: retryAfter) : .noAnswer)
        }
    }

    /// Adds to the knowledge. Less specific news does not replace what the relay has said before.
    private mutating func learn(_ news: Knowledge) {
        switch (knowledge, news) {
        case (_, .open), (.nothing, _), (.missing, _), (.notSent, _), (.mayHaveArrived, .underWay): knowledge = news
        case (.mayHaveArrived, _), (.underWay, _), (.open, _): break
        }
    }

    private mutating func next(after document: PaymentDocument, _ retryAfter: Double?, canPay: Bool) -> Action {
        // The same request may still be sent by another attempt that is under way.
        if document.outcome == .notSent {
            if !pays { learn(.notSent(document)) }
            return .attempt(maySend(canPay) ? .pay : .read, retryAfter: retryAfter)
        }
        let result = PaymentResult(document)
        // The earlier request with this reference failed, and this request is a different one.
        if case .referenceTaken(wasFirst: true, _) = acceptance, !result.isOpen, !result.isSuccess {
            return .finish(.failure(.referenceTaken(by: document)))
        }
        guard result.isOpen else { return .finish(.success(result)) }
        learn(.open(document))
        return .attempt(.read, retryAfter: retryAfter)
    }

    /// Whether these bytes are rejected because the reference belongs to another payment, and no open payment of
    /// this order was seen.
    private var isReferenceTaken: Bool {
        if case .open = knowledge { return false }
        if case .referenceTaken = acceptance { return true }
        return false
    }

    /// Handles the document of another payment with this reference. It is never a success of this order. If its
    /// outcome is known, the result is final.
    private mutating func next(afterOther document: PaymentDocument, _ retryAfter: Double?) -> Action {
        guard document.outcome == .notSent || PaymentResult(document).isOpen,
            case .referenceTaken(let wasFirst, _) = acceptance
        else { return .finish(.failure(.referenceTaken(by: document))) }
        acceptance = .referenceTaken(wasFirst: wasFirst, by: document)
        return .attempt(.read, retryAfter: retryAfter)
    }

    private mutating func next(after problem: ProblemDocument, _ retryAfter: Double?, canPay: Bool) -> Action {
        switch problem.status {
        case 409 where problem.kind == .inFlight:
            learn(.underWay)
            return again(after: retryAfter, canPay: canPay, mayHaveArrived: true)
        // With these statuses the relay states that nothing was done.
        case 408, 429, 503:
            return again(after: retryAfter, canPay: canPay, mayHaveArrived: false)
        // The connection changed or truncated the request, so the response says nothing about the original bytes.
        case 400 where problem.kind == .incompleteBody || problem.kind == .malformedRequest:
            return again(after: retryAfter, canPay: canPay, mayHaveArrived: false)
        case 500...:
            return again(after: retryAfter, canPay: canPay, mayHaveArrived: true)
        default:
            // A taken reference belongs to an earlier request, which may have charged the customer.
            if problem.kind == .referenceTaken {
                acceptance = .referenceTaken(wasFirst: !mayHaveArrived, by: nil)
                learn(.mayHaveArrived)
            }
            // A refusal is about this attempt and not about an earlier one.
            guard mayHaveArrived else { return .finish(.failure(RelayError(problem))) }
            if let kind = problem.kind, Self.refusedEachTime.contains(kind) { acceptance = .refused }
            return problem.status == 401 ? renewToken() : .attempt(.read, retryAfter: nil)
        }
    }

    private mutating func nextRead(after problem: ProblemDocument, _ retryAfter: Double?, canPay: Bool) -> Action {
        switch problem.status {
        case 404 where problem.kind == .noSuchPayment:
            if !pays { learn(.missing) }
            switch (knowledge, acceptance) {
            // The payment existed before. The response comes from another instance, or from one that lost its
            // journal.
            case (.open, _), (.underWay, _), (_, .referenceTaken(_, by: _?)): return .attempt(.read, retryAfter: nil)
            case (_, .referenceTaken(wasFirst: true, _)): return .finish(.failure(.referenceTaken(by: nil)))
            // A refusal is not reported if an attempt may have arrived: a failover can lose the claim, and a
            // payment that a notification restores is hidden from order tokens.
            default: return .attempt(maySend(canPay) ? .pay : .read, retryAfter: nil)
            }
        case 408, 429, 500...:
            return .attempt(.read, retryAfter: retryAfter)
        case 401 where !hasRenewedToken:
            return renewToken()
        default:
            // The response says nothing about the payment.
            if mayHaveArrived { return .finish(atDeadline()) }
            return .finish(.failure(RelayError(problem)))
        }
    }

    private mutating func renewToken() -> Action {
        guard !hasRenewedToken else { return .finish(atDeadline()) }
        hasRenewedToken = true
        return .authenticateAndRead
    }

    /// Repeats the attempt. If the request to pay cannot be sent, looks up the payment instead.
    private mutating func again(after retryAfter: Double?, canPay: Bool, mayHaveArrived arrived: Bool) -> Action {
        if arrived { learn(.mayHaveArrived) }
        if case .nothing = knowledge { knowledge = .nothing(retryAfter: retryAfter) }
        if case .open = knowledge { return .attempt(.read, retryAfter: retryAfter) }
        if maySend(canPay) { return .attempt(.pay, retryAfter: retryAfter) }
        return pays && !mayHaveArrived ? .finish(atDeadline()) : .attempt(.read, retryAfter: retryAfter)
    }

    /// Whether the request to pay may be sent again.
    private func maySend(_ canPay: Bool) -> Bool {
        guard case .possible = acceptance else { return false }
        return pays && canPay
    }
}
