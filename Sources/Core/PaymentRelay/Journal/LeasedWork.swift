public import FoundationEssentials
import PayrelayPrimitives

/// Work that a journal leases: to one instance at a time, and to another one when the lease has expired before its end.
///
/// An open payment (``Payment``), an event to deliver (``DueEvent``) or a hint about which the gateway is to be asked
/// (``PendingHint``).
public protocol LeasedWork: Sendable {
    /// How the work ended.
    associatedtype End: Sendable

    /// Longer than any lease of such work, and than any pause before it is due again.
    static var longestLease: Duration { get }
}

extension LeasedWork {
    /// A lease or a pause that ends later was written before the clock was set back.
    public static func latestLeaseEnd(at moment: Date) -> Date { moment + longestLease }

    /// Whether work whose lease, or pause, ends then may be leased.
    public static func isDue(_ end: Date, at moment: Date) -> Bool { end <= moment || end > latestLeaseEnd(at: moment) }
}

extension Payment: LeasedWork {
    /// End of the lease of a payment that is still open.
    public enum LeaseEnd: Sendable, Equatable {
        /// Any instance may take it over from that moment on.
        case postponed(until: Date)
    }

    public typealias End = LeaseEnd

    /// A gateway's timeout is 300 seconds at most.
    public static var longestLease: Duration { .seconds(900) }
}

extension DueEvent: LeasedWork {
    /// Result of the delivery. The attempt, if one was made, is recorded in the same step.
    public enum End: Sendable, Equatable {
        /// The payment's next event, if any, is due.
        case acknowledged(DeliveryAttempt?)
        /// It is due again at that moment.
        case postponed(until: Date, DeliveryAttempt?)
        /// Nothing of the payment is sent until an operator asks for it, or its next event comes.
        case deadLettered(DeliveryAttempt?)
    }

    public static var longestLease: Duration { EventDelivery.longestPause * 2 }
}

extension PendingHint: LeasedWork {
    public typealias End = HintEnd

    public static var longestLease: Duration { PaymentRelay.longestRestOfUnknown * 2 }
}
