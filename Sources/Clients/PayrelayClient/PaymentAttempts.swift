import PayrelayAPI

/// Decides what follows each attempt to pay or to look up a payment. It does no I/O and has no clock of its own.
///
/// Two rules decide: the same bytes are sent again until the relay has answered for good; and once an attempt may have
/// arrived, nothing but the relay's own word about the payment ends the question of whether the customer is charged.
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
        /// Ask the app for a new order token, then read.
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
    /// Whether the relay has said that the payment is under way.
    private var isUnderWay = false
    /// The last document about the payment while its outcome was open.
    private var openDocument: PaymentDocument?
    /// Whether the relay had no such payment when it was asked last.
    private var isMissing = false
    /// The document of the last answer, where it says that FORT was not reached: a later attempt may have reached it since.
    private var unsentDocument: PaymentDocument?
    /// A refusal that came after an attempt which may have arrived, or that speaks of an earlier request.
    private var refusal: RelayError?
    /// The payment that the reference belongs to, where it is another and its outcome was open.
    private var otherDocument: PaymentDocument?
    /// How long the relay asked to wait, in seconds.
    private var lastRetryAfter: Double?
    /// Whether the reference was taken before this payment sent anything that may have arrived.
    private var isTakenEarlier = false
    private var hasRenewedToken = false
    /// Whether there is a payment to make; else one is only looked up.
    private let pays: Bool

    /// Problems that the relay answers to the same bytes at any time.
    private static let refusedEachTime: Set<ProblemKind> = [
        .invalidFields, .notJSON, .notAuthenticated, .notPermitted, .otherOrder, .tokenRefused, .simulatorToken,
        .tokenUsed, .referenceTaken,
    ]

    init(pays: Bool) {
        self.pays = pays
    }

    /// - Parameter canPay: whether the Apple Pay token is still fresh enough to be sent.
    mutating func next(after event: Event, of step: Step, canPay: Bool) -> Action {
        unsentDocument = nil
        switch (step, event) {
        case (_, .answered(.payment(let document, let retryAfter))):
            isMissing = false
            return next(after: document, retryAfter, canPay: canPay)
        case (.read, .answered(.otherPayment(let document, let retryAfter))) where isReferenceTaken:
            return next(afterOther: document, retryAfter)
        // Without the relay's word that the reference is taken it proves nothing.
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

    /// Returns the result when the time limit is over.
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
        // The same request may still be sent, by an attempt that is on its way too.
        if document.outcome == .notSent {
            unsentDocument = document
            return .attempt(pays && canPay && refusal == nil ? .pay : .read, retryAfter: retryAfter)
        }
        let result = PaymentResult(document)
        // The earlier request under the reference failed, and this one is another.
        if isTakenEarlier, !result.isOpen, !result.isSuccess {
            return .finish(.failure(.referenceTaken(by: document)))
        }
        guard result.isOpen else { return .finish(.success(result)) }
        mayHaveArrived = true
        openDocument = document
        return .attempt(.read, retryAfter: retryAfter)
    }

    /// Whether these bytes are refused, because the reference belongs to others; and no payment of this order was seen.
    private var isReferenceTaken: Bool {
        guard case .referenceTaken = refusal else { return false }
        return openDocument == nil
    }

    /// The reference pays for something else: it is never this order's success, and it is known at once how it stands.
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
        // The relay's own word that nothing was done.
        case 408, 429, 503:
            return again(after: retryAfter, canPay: canPay, mayHaveArrived: false)
        // The connection changed or shortened the request: it says nothing about the bytes that were meant.
        case 400 where problem.kind == .incompleteBody || problem.kind == .malformedRequest:
            return again(after: retryAfter, canPay: canPay, mayHaveArrived: false)
        case 500...:
            return again(after: retryAfter, canPay: canPay, mayHaveArrived: true)
        default:
            let error = RelayError(problem)
            // A reference that is taken is an earlier request's, which may have paid.
            if problem.kind == .referenceTaken {
                isTakenEarlier = !mayHaveArrived
                mayHaveArrived = true
            }
            // A refusal speaks of this attempt and not of an earlier one.
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
            // It was there already: another instance answers, or one that lost its journal.
            if openDocument != nil || otherDocument != nil || isUnderWay { return .attempt(.read, retryAfter: nil) }
            if isTakenEarlier { return .finish(.failure(.referenceTaken(by: nil))) }
            // No refusal is told where an attempt may have arrived: a failover loses the claim, and what a notification brings
            // back is hidden from order tokens.
            return .attempt(canPay && refusal == nil ? .pay : .read, retryAfter: nil)
        case 408, 429, 500...:
            return .attempt(.read, retryAfter: retryAfter)
        case 401 where !hasRenewedToken:
            return renewToken()
        default:
            // It says nothing about the payment.
            if mayHaveArrived { return .finish(atDeadline()) }
            return .finish(.failure(RelayError(problem)))
        }
    }

    private mutating func renewToken() -> Action {
        guard !hasRenewedToken else { return .finish(atDeadline()) }
        hasRenewedToken = true
        return .authenticateAndRead
    }

    /// Repeats the attempt; looks the payment up instead once the token is too old to be sent.
    private mutating func again(after retryAfter: Double?, canPay: Bool, mayHaveArrived arrived: Bool) -> Action {
        if arrived { mayHaveArrived = true }
        lastRetryAfter = retryAfter
        guard pays, canPay, refusal == nil, openDocument == nil else {
            return pays && !mayHaveArrived ? .finish(atDeadline()) : .attempt(.read, retryAfter: retryAfter)
        }
        return .attempt(.pay, retryAfter: retryAfter)
    }
}
