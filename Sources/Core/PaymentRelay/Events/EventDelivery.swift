import FoundationEssentials
public import Logging
import PayrelayPrimitives
import Synchronization

/// Sends every event to the merchant's backend until it acknowledges: at least once, in order for each payment. What an
/// earlier process left is due as well, so a restart needs no other provision.
///
/// It works as ``Reconciler`` does, on ``LeasedWorkers``.
public final class EventDelivery: Sendable {
    /// How many deliveries were tried since the process started.
    public struct Attempts: Sendable, Equatable {
        public var acknowledged: Int
        public var refused: Int
        public var unanswered: Int

        public init(acknowledged: Int = 0, refused: Int = 0, unanswered: Int = 0) {
            self.acknowledged = acknowledged
            self.refused = refused
            self.unanswered = unanswered
        }
    }

    private let relay: PaymentRelay
    private let receiver: any EventReceiver
    private let logger: Logger
    private let backoff: ExponentialBackoff
    static let longestPause = Duration.seconds(3_600)
    /// About three days; then the event is dead-lettered.
    static let attemptsAtMost = 84
    /// How many payments' events are under way at once, at most.
    private static let paymentsAtOnce = 32
    /// The part of a lease that the journal may take, to give it and to record how the delivery ended.
    private static let timeToRecord = Duration.seconds(15)
    private let counted = Mutex(Attempts())

    public convenience init(relay: PaymentRelay, receiver: any EventReceiver, logger: Logger) {
        self.init(
            relay: relay, receiver: receiver, logger: logger, backoff: ExponentialBackoff(longest: Self.longestPause))
    }

    init(relay: PaymentRelay, receiver: any EventReceiver, logger: Logger, backoff: ExponentialBackoff) {
        self.relay = relay
        self.receiver = receiver
        self.logger = logger
        self.backoff = backoff
    }

    public var attempts: Attempts { counted.withLock { $0 } }

    /// Works until its task is cancelled; what is under way then is still carried through, which takes the receiver's
    /// timeout at the longest.
    public func run() async {
        await workers.run()
    }

    /// Delivers all due events, until no more can be leased.
    func workOff() async {
        await workers.workOff()
    }

    private var workers: LeasedWorkers<DueEvent> {
        LeasedWorkers(
            count: { Self.paymentsAtOnce },
            lease: { limit async throws(JournalError) in
                let moment = self.relay.now()
                return try await self.relay.journal.lease(
                    DueEvent.self, of: nil, limit: limit, at: moment,
                    until: moment + self.receiver.timeout + Self.timeToRecord)
            },
            // In a task of its own, which a stop does not cancel. An acknowledged event makes the payment's next one
            // due.
            work: { due in await Task(executorPreference: self.relay.executor) { await self.carryThrough(due) }.value },
            fail: { [logger] error in
                logger.error("event delivery: journal failed", metadata: ["error": "\(error)"])
            })
    }

    /// Whether it was acknowledged.
    private func carryThrough(_ due: DueEvent) async -> Bool {
        // A journal that took long may have left too little of the lease; the event is due again when it ends.
        guard relay.now() + receiver.timeout <= due.leasedUntil else { return false }
        do throws(JournalError) {
            let begun = relay.now()
            let clock = ContinuousClock.now
            guard let result = await deliver(due) else {
                try await relay.journal.end(due, as: .deadLettered(nil), at: relay.now())
                return false
            }
            let duration = clock.duration(to: .now)
            guard result.reception == .acknowledged else {
                let next =
                    due.attempt < Self.attemptsAtMost ? relay.now() + backoff.pause(afterAttempt: due.attempt) : nil
                let attempt = DeliveryAttempt(of: result, at: begun, taking: duration, nextAt: next)
                try await relay.journal.end(
                    due, as: next.map { .postponed(until: $0, attempt) } ?? .deadLettered(attempt), at: relay.now())
                return false
            }
            let attempt = DeliveryAttempt(of: result, at: begun, taking: duration, nextAt: nil)
            try await relay.journal.end(due, as: .acknowledged(attempt), at: relay.now())
            return true
        } catch {
            logger.error(
                "event delivery not recorded; due again when its lease expires",
                metadata: ["merchant_reference": "\(due.merchantReference)", "error": "\(error)"])
            return false
        }
    }

    /// Nil where there is nothing that could be sent.
    private func deliver(_ due: DueEvent) async -> DeliveryResult? {
        let event: MerchantEvent
        do throws(UnreadableEvent) {
            event = try MerchantEvent(due)
        } catch {
            logger.error(
                "event record unreadable; dead-lettered",
                metadata: ["merchant_reference": "\(due.merchantReference)", "number": "\(due.number)"])
            return nil
        }
        let result = await receiver.deliver(event)
        count(result.reception)
        log(result.reception, of: event, due)
        return result
    }

    private func count(_ reception: EventReception) {
        counted.withLock { attempts in
            switch reception {
            case .acknowledged: attempts.acknowledged += 1
            case .refused: attempts.refused += 1
            case .unanswered: attempts.unanswered += 1
            }
        }
    }

    private func log(_ reception: EventReception, of event: MerchantEvent, _ due: DueEvent) {
        var metadata: Logger.Metadata = [
            "merchant_reference": "\(due.merchantReference)", "event_id": "\(event.identifier)",
            "attempt": "\(due.attempt)",
        ]
        switch reception {
        case .acknowledged: return logger.info("event acknowledged", metadata: metadata)
        case .refused(let reason), .unanswered(let reason): metadata["reason"] = "\(reason)"
        }
        if due.attempt < Self.attemptsAtMost {
            logger.notice("event not acknowledged; it is sent again", metadata: metadata)
        } else {
            logger.error("event not acknowledged; dead-lettered until `payrelay events resend`", metadata: metadata)
        }
    }
}
