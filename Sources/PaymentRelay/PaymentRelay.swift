public import ApplePayToken
public import FoundationEssentials
public import Logging
public import Primitives
import Synchronization

/// The core: an order and a token come in, a journaled outcome goes out.
///
/// It knows neither HTTP nor a database nor FORT, only its own two protocols, ``Journal`` and ``Processor``. Its promise:
/// before a byte goes to the processor the claim is durable, before the client hears the outcome is, and whatever is not
/// proven by a verified answer is `uncertain`, never `declined`.
public final class PaymentRelay: Sendable {
    /// What the relay works by.
    public struct Policy: Sendable {
        /// How tokens are checked; nil relays them unchecked, which an operator has to ask for by name.
        public var verifier: TokenVerifier?
        /// How long a payment is uncertain before the processor's "no such order" is final.
        public var notFoundAfter: Duration
        /// How long an operation is uncertain before the processor's totals, which do not show it, are final: longer than the
        /// processor keeps operations on hold.
        public var operationNotFoundAfter: Duration
        /// How long the processor may take to answer.
        public var processorTimeout: Duration
        /// After so long a client is answered, whether or not the outcome is known by then; nil waits for it.
        public var answerAfter: Duration?
        /// How long answers are given again as they were; then what they tell of the customer is erased.
        public var retention: Duration
        /// What is open for longer is counted as overdue.
        public var overdueAfter: Duration
        /// Whether the merchant's backend is told what happens.
        public var recordsEvents: Bool

        /// How long a payment is one instance's alone: long enough to record and to charge it. One that is still open
        /// afterwards was left behind by an instance that ended, and another one takes it over.
        var leaseDuration: Duration { processorTimeout + timeToRecord }

        /// A claim that takes the journal longer is not sent.
        private var timeToRecord: Duration { min(.seconds(30), max(.seconds(5), processorTimeout)) }

        public init(
            verifier: TokenVerifier?, notFoundAfter: Duration, operationNotFoundAfter: Duration = .seconds(3_600),
            processorTimeout: Duration = .seconds(30), answerAfter: Duration? = nil,
            retention: Duration = .seconds(30 * 86_400), overdueAfter: Duration = .seconds(900),
            recordsEvents: Bool = false
        ) {
            self.verifier = verifier
            self.notFoundAfter = notFoundAfter
            self.operationNotFoundAfter = operationNotFoundAfter
            self.processorTimeout = processorTimeout
            self.answerAfter = answerAfter
            self.retention = retention
            self.overdueAfter = overdueAfter
            self.recordsEvents = recordsEvents
        }
    }

    let policy: Policy
    let journal: any Journal
    let processor: any Processor
    let inFlight = InFlight()
    let deadlines: AnswerDeadlines?
    private let certificateExpiry = Mutex(SignerCertificateExpiry())
    let now: @Sendable () -> Date
    let logger: Logger
    let executor: (any TaskExecutor)?
    let observe: @Sendable (RelayEvent) -> Void

    /// - Parameters:
    ///   - now: the clock.
    ///   - executor: where payments are carried through; nil is where all tasks run. A test that decides in which order
    ///     things happen gives its own.
    ///   - observe: told of what can be counted.
    public init(
        policy: Policy, journal: any Journal, processor: any Processor, logger: Logger,
        now: @escaping @Sendable () -> Date = { Date() }, executor: (any TaskExecutor)? = nil,
        observe: @escaping @Sendable (RelayEvent) -> Void = { _ in }
    ) {
        self.policy = policy
        deadlines = policy.answerAfter.map { AnswerDeadlines(after: $0) }
        self.journal = journal
        self.processor = processor
        self.logger = logger
        self.now = now
        self.executor = executor
        self.observe = observe
    }

    /// Pays an order with a token: verify, claim, charge, settle.
    ///
    /// The client may go away at any moment; what was begun is carried through and journaled all the same. Where it takes
    /// longer than ``Policy/answerAfter``, the client is answered with what is known then: `uncertain` once the payment is
    /// claimed, and that nothing was sent where it is not, for then nothing will be.
    ///
    /// - Parameter onCarriedOn: called before such an answer, with what is still under way.
    public func pay(
        _ request: PaymentRequest, onCarriedOn: @Sendable (_ rest: Task<Void, Never>) -> Void = { _ in }
    ) async throws(PaymentRefusal) -> PaymentResult {
        let deadline = deadlines?.begin()
        let carried = Task(executorPreference: executor) { () async -> Result<PaymentResult, PaymentRefusal> in
            let result: Result<PaymentResult, PaymentRefusal>
            do throws(PaymentRefusal) {
                result = .success(try await self.carryThrough(request, within: deadline))
            } catch {
                result = .failure(error)
            }
            self.observe(.paid(result))
            if let deadline { self.deadlines?.end(deadline) }
            return result
        }
        guard let deadline else { return try await carried.value.get() }
        let first = await deadline.first()
        if first == .ended { return try await carried.value.get() }
        onCarriedOn(Task { _ = await carried.value })
        logger.notice(
            "answered at the deadline; the payment is carried on",
            metadata: [
                "merchant_reference": "\(request.order.merchantReference)", "request_id": "\(request.identifier)",
            ])
        guard case .late(let claimed?) = first else {
            throw .journalUnavailable(reason: "recording the payment took too long, and it is not sent any more")
        }
        return PaymentResult(payment: claimed.answeredEarly, isReplay: false, steps: StepTimes())
    }

    private func carryThrough(
        _ request: PaymentRequest, within deadline: AnswerDeadline?
    ) async throws(PaymentRefusal) -> PaymentResult {
        var steps = StepTimes()
        inFlight.enter()
        defer {
            observe(.took(steps))
            inFlight.leave()
        }

        let verification = await steps.measure(.verify) {
            verify(request.token, applicationDataHash: request.applicationDataHash)
        }
        if let verification, !verification.isValid {
            return try await replay(request, orRefuse: verification, steps: steps)
        }
        let payment = Payment(claimedBy: request, at: now(), leasedFor: policy.leaseDuration)
        let token = TokenDigest(of: request.token)
        switch try await steps.measure(
            .claim, { () throws(PaymentRefusal) in try await claim(payment, with: token, for: request) })
        {
        case .claimed: FailPoint.claimed.reach()
        case .referenceTaken(let known): return try replay(known, to: request, steps: steps)
        case .recordUnreadable: throw .recordUnreadable
        case .tokenTaken: throw .tokenTaken
        case .idempotencyKeyTaken: throw .idempotencyKeyTaken
        }
        FailPoint.sent.reachSoon()
        // A client that was told that nothing was sent must have been told the truth.
        let mayBeSent = deadline?.claimed(payment) ?? true
        let report = await steps.measure(.charge) {
            mayBeSent ? await charge(request, for: payment) : .notSent(reason: Self.tookTooLong)
        }
        FailPoint.answered.reach()
        let settled = await steps.measure(.settle) {
            await settle(payment, after: .charged(report), request: request.identifier)
        }
        FailPoint.settled.reach()
        if settled.state.isOpen { await release(payment, at: now()) }
        log(settled, steps: steps, request: request.identifier)
        if case .notSent(let reason) = report { throw .notSent(reason: reason) }
        return PaymentResult(payment: settled, isReplay: false, steps: steps)
    }

    /// Sends nothing where the answer may come when the payment is no longer this instance's.
    private func charge(_ request: PaymentRequest, for payment: Payment) async -> ProcessorReport {
        guard now() + policy.processorTimeout <= payment.lease.expiresAt else {
            return .notSent(reason: Self.tookTooLong)
        }
        return await request.charge.send()
    }

    private static let tookTooLong = "recording the payment took too long"

    /// Whether tokens are checked at all.
    public var verifiesTokens: Bool { policy.verifier != nil }

    /// Checks a token and charges nothing.
    ///
    /// - Returns: nil where the operator turned verification off.
    public func verify(_ token: PaymentToken, applicationDataHash: HexText? = nil) -> TokenVerification? {
        guard let verifier = policy.verifier else { return nil }
        let verification = verifier.verify(token, at: .instant(now()), applicationDataHash: applicationDataHash)
        certificateExpiry.withLock { $0.record(verification) }
        return verification
    }

    /// How long the certificates last that valid tokens came with; nil until there was such a token.
    public var certificateDaysLeft: SignerCertificateExpiry.DaysLeft? {
        certificateExpiry.withLock { $0.daysLeft(at: now()) }
    }

    /// How tokens were verified; nil where they are not.
    public var chainCacheUse: ChainCacheUse? { policy.verifier?.chainCacheUse }

    private func claim(
        _ payment: Payment, with token: TokenDigest, for request: PaymentRequest
    ) async throws(PaymentRefusal) -> ClaimResult {
        let entry = HistoryEntry(at: payment.claimedAt, state: .processing, requestIdentifier: request.identifier)
        do {
            return try await journal.claim(
                Claim(
                    payment: payment, token: token, idempotencyKey: request.clientsKey, entry: entry))
        } catch {
            logger.error("claim not journaled", metadata: ["error": "\(error)"])
            throw .journalUnavailable(reason: "the payment could not be recorded, so nothing was sent")
        }
    }
}

extension Payment {
    /// As a client is told of it while it is being carried through. It is not what is stored.
    fileprivate var answeredEarly: Payment {
        var payment = self
        let reason = "there is no final answer yet; the payment is carried on"
        payment.state = .uncertain
        payment.receipt = Receipt(of: self, state: .uncertain, answer: nil, reason: reason).encoded()
        return payment
    }

    fileprivate init(claimedBy request: PaymentRequest, at moment: Date, leasedFor duration: Duration) {
        self.init(
            merchantReference: request.order.merchantReference, command: request.order.command,
            amount: request.order.amount, currency: request.order.currency, fingerprint: request.fingerprint,
            appleTransactionIdentifier: request.token.header.transactionId.text.lowercased(), claimedAt: moment,
            account: request.order.account, client: request.client,
            lease: Lease(number: 0, expiresAt: moment + duration))
    }
}
