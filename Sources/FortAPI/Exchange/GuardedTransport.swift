public import OutboundHTTP
import Synchronization

/// A way to FORT that says no at once where the answer would not come: while FORT is down, or more is on the way than FORT
/// takes. What it refuses is ``OutboundFailure/notSent(reason:)``, so it can be tried again.
///
/// A request that was sent and not answered counts as a failure and is reported as it is: nobody knows what became of it.
public final class GuardedTransport: FortTransport {
    private let transport: any FortTransport
    private let door: ConcurrencyLimiter
    private let breaker: Mutex<CircuitBreaker>
    private let clock: GuardClock
    private let onChange: @Sendable (_ isReachable: Bool) -> Void

    /// - Parameters:
    ///   - transport: what it guards.
    ///   - onChange: told when FORT is taken for down, and when it is back.
    public convenience init(
        _ transport: any FortTransport, limits: FortLimits = FortLimits(),
        onChange: @escaping @Sendable (_ isReachable: Bool) -> Void = { _ in }
    ) {
        self.init(transport, limits: limits, clock: .continuous, onChange: onChange)
    }

    init(
        _ transport: any FortTransport, limits: FortLimits, clock: GuardClock,
        onChange: @escaping @Sendable (_ isReachable: Bool) -> Void = { _ in }
    ) {
        self.transport = transport
        self.clock = clock
        self.onChange = onChange
        door = ConcurrencyLimiter(limit: limits.requestsInFlight, patience: limits.patience, sleep: clock.sleep)
        breaker = Mutex(CircuitBreaker(failureLimit: limits.failures))
    }

    public func post(
        _ body: [UInt8], to endpoint: FortEndpoint, timeout: Duration
    ) async throws(OutboundFailure) -> (status: Int, body: [UInt8]) {
        try refuseWhileDown()
        guard await door.enter() else {
            throw .notSent(reason: "as many requests are on the way as are allowed, and no place came free in time")
        }
        defer { door.leave() }
        // While this one waited, those before it may have found out.
        try refuseWhileDown()
        let sentAt = clock.now()
        do throws(OutboundFailure) {
            let answer = try await transport.post(body, to: endpoint, timeout: timeout)
            learn(isReachable: Self.isReachable(answer.status), sentAt: sentAt)
            return answer
        } catch {
            // Who gave up says nothing of FORT.
            if !Task.isCancelled { learn(isReachable: false, sentAt: sentAt) }
            throw error
        }
    }

    /// While FORT is taken for down, asks it again and again until it answers. Runs until its task is cancelled; nothing else
    /// takes FORT for up again.
    ///
    /// - Parameter probe: a signed question that changes nothing.
    public func watch(_ endpoint: FortEndpoint, with probe: FortMessage) async {
        while !Task.isCancelled {
            if breaker.withLock({ $0.beginProbe(at: clock.now()) }) {
                let sentAt = clock.now()
                let answer = try? await transport.post(probe.body, to: endpoint, timeout: Self.probeTimeout)
                if let answer, Self.isReachable(answer.status) {
                    learn(isReachable: true, sentAt: sentAt)
                } else {
                    breaker.withLock { $0.failProbe(at: clock.now()) }
                }
            }
            try? await clock.sleep(Self.watchInterval)
        }
    }

    /// Short, so that a probe which hangs does not hide that FORT is back.
    private static let probeTimeout = Duration.seconds(5)
    private static let watchInterval = Duration.milliseconds(250)

    /// Whether FORT answered, and not a gateway that it is away. Whether the answer proves anything is another matter.
    private static func isReachable(_ status: Int) -> Bool { status < 500 }

    private func refuseWhileDown() throws(OutboundFailure) {
        guard breaker.withLock({ $0.isClosed }) else {
            throw .notSent(reason: "it has not answered of late, and is asked again until it does")
        }
    }

    private func learn(isReachable: Bool, sentAt: Duration) {
        let changed = breaker.withLock { breaker in
            let before = breaker.isClosed
            if isReachable {
                breaker.succeed(at: clock.now())
            } else {
                breaker.fail(at: clock.now(), sentAt: sentAt)
            }
            return before != breaker.isClosed
        }
        if changed { onChange(isReachable) }
    }
}

/// How much of FORT is asked for at once, and when it is taken for down.
public struct FortLimits: Sendable, Equatable {
    /// How many requests may be on the way to FORT at once. As many more may wait for a place.
    public var requestsInFlight: Int
    /// How long one waits for a place; then it is not sent.
    public var patience: Duration
    /// After how many requests in a row without an answer FORT is taken for down.
    public var failures: Int

    public init(requestsInFlight: Int = 128, patience: Duration = .milliseconds(500), failures: Int = 5) {
        self.requestsInFlight = requestsInFlight
        self.patience = patience
        self.failures = failures
    }
}

/// The time as a ``GuardedTransport`` knows it.
struct GuardClock: Sendable {
    /// How much time has passed since some moment.
    let now: @Sendable () -> Duration
    let sleep: @Sendable (Duration) async throws -> Void

    static var continuous: GuardClock {
        let start = ContinuousClock.now
        return GuardClock(now: { start.duration(to: .now) }, sleep: { try await Task.sleep(for: $0) })
    }
}
