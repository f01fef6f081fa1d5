import PayrelayPrimitives
import Synchronization

/// A rate limit for each sender. It can be used from any task.
public final class RateLimit<Sender: Hashable & Sendable>: Sendable {
    private let rate: Mutex<RequestRate<Sender>>
    private let perSecond: Int
    private let now: @Sendable () -> ContinuousClock.Instant
    private let start: ContinuousClock.Instant

    /// - Parameter perSecond: the number of requests per second that a sender may send, averaged over ten
    ///   seconds.
    public init(perSecond: Int, now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }) {
        rate = Mutex(RequestRate(perSecond: perSecond))
        self.perSecond = perSecond
        self.now = now
        start = now()
    }

    /// Reduces the limit to this instance's share of it, from now on.
    public func divide(among instances: Int) {
        rate.withLock { $0.change(perSecond: max(1, perSecond / max(1, instances))) }
    }

    /// Counts a request of the sender.
    ///
    /// - Returns: `nil` if the request is within the limit; otherwise the seconds until the sender's next request
    ///   will be.
    public func count(_ sender: Sender) -> Int? {
        let moment = start.duration(to: now())
        return rate.withLock { $0.count(sender, at: moment) }.map { Int(($0.milliseconds / 1_000).rounded(.up)) }
    }
}
