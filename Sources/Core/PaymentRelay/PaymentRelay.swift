import ApplePayToken
public import FoundationEssentials
public import Logging
import PayrelayPrimitives
import Synchronization
public import Tracing
import UnderWay

/// The core: takes an order and its means of payment, and returns an outcome that is in the journal.
///
/// It knows neither HTTP nor a database nor any gateway by name, only the two protocols ``Journal`` and
/// ``Gateway``. Its promise: the claim is durable before a byte goes to the gateway, the outcome is durable before
/// the client is answered, and an outcome that no verified answer proves is `uncertain`, never `declined`.
public final class PaymentRelay: Sendable {
    let policy: Policy
    let journal: any Journal
    public let gateways: Gateways
    let underWay = WorkUnderWay()
    /// Limits how many searches run at once. Further searches wait, and no requester has more than a quarter of the
    /// waiting slots.
    let searches = Slots<String>(
        limit: max(1, ProcessInfo.processInfo.activeProcessorCount / 2), waitersAtMost: (inAll: 64, ofOne: 16))
    /// Limits, for each gateway by its name, how many status queries requested by clients run at once. Further queries
    /// wait, and no client has more than a quarter of the waiting slots. Without the limit, such queries could take
    /// all of a gateway's slots from payments.
    let syncs: [String: Slots<String>]
    private let instances = Atomic(1)
    let deadlines: AnswerDeadlines
    let certificateExpiry = Mutex(SignerCertificateExpiry())
    let certificateUse: CertificateUseWatch
    let now: @Sendable () -> Date
    let logger: Logger
    /// Makes the spans of a payment's steps; `nil` if nothing exports them.
    let tracer: (any Tracer)?
    let executor: (any TaskExecutor)?
    let observe: @Sendable (RelayEvent) -> Void

    /// - Parameters:
    ///   - now: the clock.
    ///   - tracer: makes a span of each step of a payment; `nil` if no spans are exported.
    ///   - executor: runs the tasks that carry payments through; `nil` for the default executor. A test that decides
    ///     the order of events passes its own.
    ///   - observe: called with each event that can be counted. It is called on the payment's path and must not
    ///     block.
    public init(
        policy: Policy, journal: any Journal, gateways: Gateways, logger: Logger,
        now: @escaping @Sendable () -> Date = { Date() }, tracer: (any Tracer)? = InstrumentationSystem.tracer,
        executor: (any TaskExecutor)? = nil,
        observe: @escaping @Sendable (RelayEvent) -> Void = { _ in }
    ) {
        self.policy = policy
        syncs = Dictionary(
            uniqueKeysWithValues: gateways.all.map { gateway in
                let limit = policy.queriesAtOnce(to: gateway.name, takingOneIn: 8, atMost: 16, among: 1)
                return (gateway.name, Slots(limit: limit, waitersAtMost: (inAll: 64, ofOne: 16)))
            })
        certificateUse = CertificateUseWatch(policy.processingCertificates)
        deadlines = AnswerDeadlines(after: policy.answerAfter)
        self.journal = journal
        self.gateways = gateways
        self.logger = logger
        self.now = now
        self.tracer = tracer
        self.executor = executor
        self.observe = observe
    }

    /// Sets the number of instances that share the gateways' limits: from now on this instance uses its part of
    /// them.
    public func divideLimits(among instances: Int) {
        self.instances.store(max(1, instances), ordering: .relaxed)
        for (gateway, slots) in syncs {
            slots.change(limit: queriesAtOnce(to: gateway, takingOneIn: 8, atMost: 16))
        }
    }

    /// See ``Policy/queriesAtOnce(to:takingOneIn:atMost:among:)``.
    func queriesAtOnce(to gateway: String, takingOneIn part: Int, atMost most: Int) -> Int {
        policy.queriesAtOnce(
            to: gateway, takingOneIn: part, atMost: most, among: instances.load(ordering: .relaxed))
    }

    /// Pays an order.
    ///
    /// The payment runs in its own task. The client may disconnect at any moment, and a payment that was begun is
    /// carried through and journaled all the same. If the payment takes longer than ``Policy/answerAfter``, the
    /// client gets what is known by then: `uncertain` if the payment is claimed; otherwise that nothing was sent,
    /// and then nothing will be sent.
    ///
    /// - Parameters:
    ///   - executor: the event loop on which the payment is carried through; `nil` for the executor of this relay.
    ///   - ended: called once, when the payment has no work under way any more. That is when the client is answered, or
    ///     later if the client was answered at the deadline.
    public func pay(
        _ request: PaymentRequest, executor: (any TaskExecutor)? = nil, ended: @escaping @Sendable () -> Void = {}
    ) async throws(PaymentRefusal) -> PaymentReply {
        try await withCheckedContinuation { continuation in
            let deadline = deadlines.begin { claimed in
                continuation.resume(returning: self.resultAtDeadline(of: request, claimed))
            }
            Task(executorPreference: executor ?? self.executor) {
                let result: Result<PaymentReply, PaymentRefusal>
                do throws(PaymentRefusal) {
                    // A long computation must not delay other requests on the same event loop.
                    let slowExecutor = executor == nil ? nil : globalConcurrentExecutor
                    result = .success(
                        try await self.carryThrough(request, within: deadline, slowExecutor: slowExecutor))
                } catch {
                    result = .failure(error)
                }
                self.observe(.paid(result))
                if self.deadlines.end(deadline) { continuation.resume(returning: result) }
                ended()
            }
        }.get()
    }

    /// Carries a payment through, in five steps.
    ///
    /// Each step stays a function that is not inlined. Otherwise its variables would be in the frame of this
    /// function while it waits for the gateway: kilobytes for each payment.
    private func carryThrough(
        _ request: PaymentRequest, within deadline: AnswerDeadline, slowExecutor: (any TaskExecutor)?
    ) async throws(PaymentRefusal) -> PaymentReply {
        var steps = StepTimes()
        underWay.enter()
        defer {
            observe(.took(steps))
            underWay.leave()
        }

        // 1. Verify the token. A repeated request gets its stored answer even if its token has become too old, or
        //    its account cannot be charged at the moment.
        let verification = await steps.measure(.verify, by: tracer) {
            await verify(request, slowExecutor: slowExecutor)
        }
        noteCertificate(of: request, verification)
        if let verification, !verification.isValid {
            return try await storedAnswer(to: request, orRefuse: .tokenRefused(verification), steps: steps)
        }
        if let unverified = await gateways.whyUnverified(request.order.account, of: request.charge.gateway) {
            return try await storedAnswer(to: request, orRefuse: PaymentRefusal(unverified), steps: steps)
        }

        // 2. Claim the order, durably. If another request has claimed it, reply with that request's answer.
        let (payment, isOwn) = try await steps.measure(.claim, by: tracer) { () throws(PaymentRefusal) in
            try await claim(request)
        }
        guard isOwn else { return try storedAnswer(of: payment, to: request, steps: steps) }
        FailPoint.claimed.reach()
        FailPoint.sent.reachSoon()

        // 3. Charge, once.
        let report = await steps.measure(.charge, by: tracer) {
            await chargeOnce(request, for: payment, within: deadline)
        }
        FailPoint.answered.reach()

        // 4. Record the outcome, durably.
        let settled = await steps.measure(.settle, by: tracer) { await settle(payment, by: report, request.identifier) }
        log(settled, steps: steps, request: request.identifier)

        // 5. Answer.
        if case .notSent(let reason) = report { throw .notSent(reason: reason) }
        return PaymentReply(payment: settled, isReplay: false, steps: steps)
    }

    /// Claims the order. S12: a payment that cannot be journaled is not charged.
    ///
    /// - Returns: the payment that has the reference, and whether this request claimed it.
    @inline(never) private func claim(_ request: PaymentRequest) async throws(PaymentRefusal) -> (
        payment: Payment, isOwn: Bool
    ) {
        let claim = Change(
            claiming: request, by: gateways.merchantIdentifier(ofAccount: request.order.account), at: now(),
            leasedFor: gateways.leaseDuration(of: request.charge.gateway))
        let (result, written): (CommitResult, Change)
        do throws(JournalError) {
            (result, written) = try await journal.commit(claim: claim)
        } catch {
            logger.error("claim not journaled", metadata: ["error": "\(error)"])
            throw .journalUnavailable(reason: "the payment could not be recorded")
        }
        switch result {
        case .written: break
        case .referenceTaken(let known): return (known, false)
        case .recordUnreadable: throw .recordUnreadable
        case .tokenTaken: throw .tokenTaken
        case .keyTaken: throw .idempotencyKeyTaken
        case .versionChanged: throw .journalUnavailable(reason: "the payment could not be recorded")
        }
        if let known = written.before { alert(to: known, replacedBy: request.identifier) }
        return (written.after, true)
    }

    /// Records the outcome of the charge. The outcome is durable before the client is answered.
    @inline(never) private func settle(
        _ payment: Payment, by report: Outcome<GatewayAnswer>, _ identifier: String
    ) async -> Payment {
        let outcome = PaymentInput.charged(plausible(report, for: payment, request: identifier))
        let settled = await record(outcome, on: payment, from: Origin(.gatewayAnswer, request: identifier)).payment
        FailPoint.settled.reach()
        return settled
    }
}

extension Change {
    /// A claim of an order's reference and of the payment token, if one pays it.
    ///
    /// - Parameter merchantIdentifier: the gateway's identifier of the merchant whose account is charged.
    fileprivate convenience init(
        claiming request: PaymentRequest, by merchantIdentifier: String?, at moment: Date, leasedFor duration: Duration
    ) {
        let payment = Payment(
            merchantReference: request.order.merchantReference, command: request.order.command,
            amount: request.order.amount, currency: request.order.currency, fingerprint: request.fingerprint,
            appleTransactionIdentifier: request.isSimulated
                ? PaymentToken.simulatedIdentifier : request.token?.header.transactionId.text.lowercasedASCII,
            claimedAt: moment, gateway: request.charge.gateway, account: request.order.account,
            merchantIdentifier: merchantIdentifier, client: request.client,
            emailDigest: request.order.customerEmail.map { EmailDigest(of: $0) },
            customer: CustomerDetails(of: request.order, token: request.token),
            lease: Lease(number: 0, expiresAt: moment + duration))
        self.init(
            before: nil, after: payment, kind: .claim,
            origin: Origin(.client(request.client), request: request.identifier), at: moment,
            claimed: Claimed(
                token: request.isSimulated ? nil : request.token?.digest, idempotencyKey: request.journaledKey))
    }
}
