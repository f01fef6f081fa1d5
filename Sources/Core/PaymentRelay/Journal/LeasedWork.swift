public import FoundationEssentials
import PayrelayPrimitives

/// Work that a journal leases to one instance at a time. If the lease expires before the work has ended, another
/// instance may lease the work.
///
/// The work is an open payment (``Payment``), an event to deliver (``DueEvent``), or a hint about which the gateway
/// is to be queried (``PendingHint``).
public protocol LeasedWork: Sendable {
    /// How the work ended.
    associatedtype End: Sendable

    /// Longer than any lease of such work, and longer than any pause before the work is due again.
    static var longestLease: Duration { get }
}

extension LeasedWork {
    /// Returns the latest possible end of a lease or a pause. A later end was written before the clock was set
    /// back.
    public static func latestLeaseEnd(at moment: Date) -> Date { moment + longestLease }

    /// Whether work whose lease or pause ends at `end` may be leased.
    public static func isDue(_ end: Date, at moment: Date) -> Bool { end <= moment || end > latestLeaseEnd(at: moment) }
}

extension Payment: LeasedWork {
    /// The end of the lease of a payment that is still open.
    public enum LeaseEnd: Sendable, Equatable {
        /// From that moment on, any instance may lease the payment.
        case postponed(until: Date)
    }

    public typealias End = LeaseEnd

    /// A gateway's timeout is at most 300 seconds.
    public static var longestLease: Duration { .seconds(900) }
}

extension DueEvent: LeasedWork {
    /// The result of the delivery. If an attempt was made, it is recorded in the same step.
    public enum End: Sendable, Equatable {
        /// The event was acknowledged. The payment's next event, if any, is due.
        case acknowledged(DeliveryAttempt?)
        /// The event is due again at that moment.
        case postponed(until: Date, DeliveryAttempt?)
        /// No event of the payment is sent until an operator resends it, or the payment's next event happens.
        case deadLettered(DeliveryAttempt?)
    }

    public static var longestLease: Duration { EventDelivery.longestPause * 2 }
}

extension PendingHint: LeasedWork {
    public typealias End = HintEnd

    public static var longestLease: Duration { HintVerdict.longestCooldownOfUnknown * 2 }
}
