public import PayrelayPrimitives
import Synchronization
import UnderWay

/// A transport that fails immediately if the gateway would not answer: while the circuit breaker is open, or
/// while too many requests are in flight. A request that fails in this way was not sent, so it can be retried
/// safely.
///
/// A request that was sent and not answered counts as a failure for the circuit breaker.
public final class GuardedTransport: GatewayTransport {
    private let transport: any GatewayTransport
    private let slots: Slots<String>
    private let breaker: Mutex<CircuitBreaker>
    private let clock: GuardClock
    private let requestsInFlight: Int
    private let onChange: @Sendable (_ isReachable: Bool) -> Void

    /// - Parameters:
    ///   - transport: the transport that is guarded.
    ///   - onChange: called when the circuit breaker opens (false) and closes (true), in that order. The breaker
    ///     waits for the call, so it must neither block nor send.
    public convenience init(
        _ transport: any GatewayTransport, limits: GatewayLimits = GatewayLimits(),
        onChange: @escaping @Sendable (_ isReachable: Bool) -> Void = { _ in }
    ) {
        self.init(transport, limits: limits, clock: .continuous, onChange: onChange)
    }

    init(
        _ transport: any GatewayTransport, limits: GatewayLimits, clock: GuardClock,
        onChange: @escaping @Sendable (_ isReachable: Bool) -> Void = { _ in }
    ) {
        self.transport = transport
        self.clock = clock
        self.onChange = onChange
        requestsInFlight = limits.requestsInFlight
        slots = Slots(
            limit: limits.requestsInFlight, waitersAtMost: (inAll: limits.waiting, ofOne: limits.waiting),
            patience: GatewayLimits.patience, sleep: clock.sleep)
        breaker = Mutex(CircuitBreaker(failureLimit: limits.failures))
    }

    /// Reduces the limit of requests in flight to this instance's share, from now on.
    public func divideLimit(among instances: Int) {
        slots.change(limit: max(1, requestsInFlight / max(1, instances)))
    }

    public func send(_ request: OutboundRequest) async -> Outcome<OutboundAnswer> {
        guard isClosed else { return Self.refused }
        let calledAt = clock.now()
        guard await slots.enter() else {
            return .notSent(reason: "as many requests are on the way as are allowed, and no slot came free in time")
        }
        defer { slots.leave() }
        // If the process stood still, another instance may already have taken over and queried the request's
        // status, so the request must not be sent any more.
        guard clock.now() - calledAt <= GatewayLimits.patience * 2 else {
            return .notSent(reason: "this process stood still while the request waited for its slot")
        }
        // The breaker may have opened while this request waited.
        guard isClosed else { return Self.refused }
        return await sendNow(request)
    }

    /// A transport for queries that find out whether the gateway answers. It sends without a slot and even if the
    /// circuit breaker is open. The circuit breaker is notified of the results.
    public var probing: any GatewayTransport { Probing(guarded: self) }

    private struct Probing: GatewayTransport {
        let guarded: GuardedTransport

        func send(_ request: OutboundRequest) async -> Outcome<OutboundAnswer> { await guarded.sendNow(request) }
    }

    private func sendNow(_ request: OutboundRequest) async -> Outcome<OutboundAnswer> {
        let sentAt = clock.now()
        let outcome = await transport.send(request)
        if case .answered(let answer) = outcome {
            record(isReachable: Self.isReachable(answer.status), sentAt: sentAt)
        } else if !Task.isCancelled {
            // A cancelled request says nothing about the gateway.
            record(isReachable: false, sentAt: sentAt)
        }
        return outcome
    }

    /// Probes the gateway while the circuit breaker is open, until it answers. Runs until its task is cancelled.
    /// Without it an open breaker never closes.
    ///
    /// - Parameter probe: a request that changes nothing.
    public func watch(with probe: OutboundRequest) async {
        var probe = probe
        probe.timeout = Self.probeTimeout
        while !Task.isCancelled {
            if breaker.withLock({ $0.beginProbe(at: clock.now()) }) {
                let sentAt = clock.now()
                let outcome = await transport.send(probe)
                if case .answered(let answer) = outcome, Self.isReachable(answer.status) {
                    record(isReachable: true, sentAt: sentAt)
                } else {
                    breaker.withLock { $0.failProbe(at: clock.now()) }
                }
            }
            try? await clock.sleep(Self.watchInterval)
        }
    }

    /// Short, so that a probe that hangs does not delay the next one.
    private static let probeTimeout = Duration.seconds(5)
    private static let watchInterval = Duration.milliseconds(250)

    /// Whether the gateway itself answered, and not a proxy in front of it. This layer does not verify the
    /// answer.
    private static func isReachable(_ status: Int) -> Bool { status < 500 }

    private var isClosed: Bool { breaker.withLock { $0.isClosed } }

    private static let refused = Outcome<OutboundAnswer>.notSent(
        reason: "it has not answered recently, and is queried again until it does")

    private func record(isReachable: Bool, sentAt: Duration) {
        breaker.withLock { breaker in
            let before = breaker.isClosed
            if isReachable {
                breaker.succeed(at: clock.now())
            } else {
                breaker.fail(at: clock.now(), sentAt: sentAt)
            }
            // Called while the lock is held, so that changes are reported in order.
            if before != breaker.isClosed { onChange(isReachable) }
        }
    }
}

/// The limits for a gateway: the number of requests in flight, and the failures that open the circuit breaker.
public struct GatewayLimits: Sendable, Equatable {
    /// The maximum number of requests in flight.
    public var requestsInFlight: Int
    /// The maximum number of further requests that wait for a slot: the same number, but at most 1,000.
    var waiting: Int { min(requestsInFlight, 1_000) }
    /// How long a request waits for a slot before it fails as not sent.
    public static let patience = Duration.milliseconds(500)
    /// The number of requests in a row without an answer that opens the circuit breaker.
    public var failures: Int

    /// The allowed values of ``requestsInFlight``. Each request needs a descriptor and, with the payment that
    /// waits for it, about 120 KB.
    public static let requestsInFlightRange = 1...20_000

    public init(requestsInFlight: Int = 2_000, failures: Int = 5) {
        self.requestsInFlight = requestsInFlight
        self.failures = failures
    }
}

/// The clock of a ``GuardedTransport``, which tests replace. It continues while the process is stopped and while
/// the machine sleeps.
struct GuardClock: Sendable {
    /// Returns the time since a fixed moment.
    let now: @Sendable () -> Duration
    let sleep: @Sendable (Duration) async throws -> Void

    static var continuous: GuardClock {
        let start = ContinuousClock.now
        return GuardClock(now: { start.duration(to: .now) }, sleep: { try await Task.sleep(for: $0) })
    }
}
