import FoundationEssentials
public import Logging
import PayrelayPrimitives
import Synchronization

/// Sends every event to the merchant's backend until the backend acknowledges it: at least once, and in order for
/// each payment. Events that an earlier process left are due as well, so a restart needs no other provision.
///
/// Like ``Reconciler`` it uses ``LeasedWorkers``.
public final class EventDelivery: Sendable {
    /// The number of deliveries attempted since the process started, by result.
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
    /// The attempts for one event, which take about three days. After that, the payment is dead-lettered.
    static let attemptsAtMost = 84
    /// The number of payments whose events are delivered at once, at most.
    private static let paymentsAtOnce = 32
    /// The part of a lease that is left for the journal, to grant the lease and to record the result of the
    /// delivery.
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

    /// Works until the current task is cancelled. Deliveries under way are still carried through, which takes at
    /// most the receiver's timeout.
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
            // In its own task, which a stop does not cancel. An acknowledged event makes the payment's next event
            // due.
            work: { due in await Task(executorPreference: self.relay.executor) { await self.carryThrough(due) }.value },
            fail: { [logger] error in
                logger.error("event delivery: journal failed", metadata: ["error": "\(error)"])
            })
    }

    /// Delivers an event and records the result. Returns whether the event was acknowledged.
    private func carryThrough(_ due: DueEvent) async -> Bool {
        // A slow journal may have left too little of the lease. The event is due again when the lease expires.
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

    /// Sends an event; returns `nil` if its record cannot be read.
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
