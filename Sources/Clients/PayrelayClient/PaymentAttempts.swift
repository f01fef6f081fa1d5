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

    /// Whether a request to pay may have reached the relay.
    private(set) var mayHaveArrived = false
    /// Whether the relay has reported that the payment is under way.
    private var isUnderWay = false
    /// The last document about the payment while its outcome was open.
    private var openDocument: PaymentDocument?
    /// Whether the relay had no such payment when it was last queried.
    private var isMissing = false
    /// The document of the last response if it says that FORT was not reached. A later attempt may have reached
    /// FORT since.
    private var unsentDocument: PaymentDocument?
    /// A refusal that came after an attempt that may have arrived, or that is about an earlier request.
    private var refusal: RelayError?
    /// The other payment that has the reference, if its outcome was open.
    private var otherDocument: PaymentDocument?
    /// The time that the relay asked to wait, in seconds.
    private var lastRetryAfter: Double?
    /// Whether the reference was already taken before this payment sent anything that may have arrived.
    private var isTakenEarlier = false
    private var hasRenewedToken = false
    /// Whether there is a payment to make. If not, a payment is only looked up.
    private let pays: Bool

    /// The problems with which the relay always responds to the same bytes.
    private static let refusedEachTime: Set<ProblemKind> = [
        .invalidFields, .notJSON, .notAuthenticated, .notPermitted, .otherOrder, .tokenRefused, .simulatorToken,
        .tokenUsed, .referenceTaken,
    ]

    init(pays: Bool) {
        self.pays = pays
    }

    /// Returns the action that follows an event of an attempt.
    ///
    /// - Parameter canPay: whether the Apple Pay token is still fresh enough to be sent.
    mutating func next(after event: Event, of step: Step, canPay: Bool) -> Action {
        unsentDocument = nil
        switch (step, event) {
        case (_, .answered(.payment(let document, let retryAfter))):
            isMissing = false
            return next(after: document, retryAfter, canPay: canPay)
        case (.read, .answered(.otherPayment(let document, let retryAfter))) where isReferenceTaken:
            return next(afterOther: document, retryAfter)
        // Unless the relay has reported that the reference is taken, this document proves nothing.
        case (_, .answered(.otherPayment(_, let retryAfter))):
            return again(after: retryAfter, canPay: canPay, mayHaveArrived: step == .pay)
        case (.pay, .answered(.problem(let problem, let retryAfter))):
            return next(after: problem, retryAfter, canPay: canPay)
        case (.read, .answered(.problem(let problem, let retryAfter))):
            return nextRead(after: problem, retryAfter, canPay: canPay)
        case (_, .answered(.foreign(let retryAfter))):
            return again(after: retryAfter, canPay: canPay, mayHaveArrived: step == .pay)
        case (_, .failed(.insecure(let detail))) where !mayHaveArrived:
            return .finish(.failure(.insecureConnection(detail: detail)))
        case (_, .failed(.notSent)), (_, .failed(.insecure)):
            return again(after: nil, canPay: canPay, mayHaveArrived: false)
        case (_, .failed(.lost)):
            return again(after: nil, canPay: canPay, mayHaveArrived: step == .pay)
        }
    }

    /// Returns the result when the time limit has passed.
    func atDeadline() -> Result<PaymentResult, RelayError> {
        if let openDocument { return .success(.uncertain(openDocument)) }
        if let otherDocument { return .failure(.referenceTaken(by: otherDocument)) }
        if isUnderWay { return .success(.uncertain(nil)) }
        if !pays, isMissing { return .failure(.noSuchPayment) }
        if !pays, let unsentDocument { return .success(.notProcessed(unsentDocument)) }
        if mayHaveArrived || !pays { return .failure(.noAnswer) }
        return .failure(.nothingWasSent(retryAfter: lastRetryAfter))
    }

    private mutating func next(after document: PaymentDocument, _ retryAfter: Double?, canPay: Bool) -> Action {
        // The same request may still be sent by another attempt that is under way.
        if document.outcome == .notSent {
            unsentDocument = document
            return .attempt(pays && canPay && refusal == nil ? .pay : .read, retryAfter: retryAfter)
        }
        let result = PaymentResult(document)
        // The earlier request with this reference failed, and this request is a different one.
        if isTakenEarlier, !result.isOpen, !result.isSuccess {
            return .finish(.failure(.referenceTaken(by: document)))
        }
        guard result.isOpen else { return .finish(.success(result)) }
        mayHaveArrived = true
        openDocument = document
        return .attempt(.read, retryAfter: retryAfter)
    }

    /// Whether these bytes are rejected because the reference belongs to another payment, and no payment of this
    /// order was seen.
    private var isReferenceTaken: Bool {
        guard case .referenceTaken = refusal else { return false }
        return openDocument == nil
    }

    /// Handles the document of another payment with this reference. It is never a success of this order. If its
    /// outcome is known, the result is final.
    private mutating func next(afterOther document: PaymentDocument, _ retryAfter: Double?) -> Action {
        guard document.outcome == .notSent || PaymentResult(document).isOpen else {
            return .finish(.failure(.referenceTaken(by: document)))
        }
        otherDocument = document
        return .attempt(.read, retryAfter: retryAfter)
    }

    private mutating func next(after problem: ProblemDocument, _ retryAfter: Double?, canPay: Bool) -> Action {
        switch problem.status {
        case 409 where problem.kind == .inFlight:
            isUnderWay = true
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
            let error = RelayError(problem)
            // A taken reference belongs to an earlier request, which may have charged the customer.
            if problem.kind == .referenceTaken {
                isTakenEarlier = !mayHaveArrived
                mayHaveArrived = true
            }
            // A refusal is about this attempt and not about an earlier one.
            guard mayHaveArrived else { return .finish(.failure(error)) }
            if let kind = problem.kind, Self.refusedEachTime.contains(kind) { refusal = error }
            return problem.status == 401 ? renewToken() : .attempt(.read, retryAfter: nil)
        }
    }

    private mutating func nextRead(after problem: ProblemDocument, _ retryAfter: Double?, canPay: Bool) -> Action {
        switch problem.status {
        case 404 where problem.kind == .noSuchPayment:
            if !pays {
                isMissing = true
                return .attempt(.read, retryAfter: nil)
            }
            // The payment existed before. The response comes from another instance, or from one that lost its
            // journal.
            if openDocument != nil || otherDocument != nil || isUnderWay { return .attempt(.read, retryAfter: nil) }
            if isTakenEarlier { return .finish(.failure(.referenceTaken(by: nil))) }
            // A refusal is not reported if an attempt may have arrived: a failover can lose the claim, and a
            // payment that a notification restores is hidden from order tokens.
            return .attempt(canPay && refusal == nil ? .pay : .read, retryAfter: nil)
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

    /// Repeats the attempt. If the token is too old to be sent, looks up the payment instead.
    private mutating func again(after retryAfter: Double?, canPay: Bool, mayHaveArrived arrived: Bool) -> Action {
        if arrived { mayHaveArrived = true }
        lastRetryAfter = retryAfter
        guard pays, canPay, refusal == nil, openDocument == nil else {
            return pays && !mayHaveArrived ? .finish(atDeadline()) : .attempt(.read, retryAfter: retryAfter)
        }
        return .attempt(.pay, retryAfter: retryAfter)
    }
}
