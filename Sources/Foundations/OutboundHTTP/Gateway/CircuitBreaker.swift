/// Decides whether requests are sent to a gateway, based on the results of previous requests. Pure: the time is a
/// parameter.
///
/// - While the breaker is closed, requests are sent.
/// - After ``failureLimit`` failures in a row, the breaker opens.
/// - While it is open, only a probe is sent from time to time. If the probe is answered, the breaker closes.
/// - A payment is never used as a probe.
struct CircuitBreaker {
    enum State: Equatable {
        /// The number of requests in a row that have failed.
        case closed(failures: Int)
        case open(probeAt: Duration)
        /// A probe is under way.
        case halfOpen
    }

    private(set) var state = State.closed(failures: 0)
    /// When the gateway last answered; `nil` if it has not answered yet.
    private var answeredAt: Duration?
    /// The number of failures in a row that open the breaker.
    let failureLimit: Int
    /// The time from the opening of the breaker to the first probe, and from one probe to the next.
    let pause: Duration

    init(failureLimit: Int, pause: Duration = .seconds(1)) {
        self.failureLimit = failureLimit
        self.pause = pause
    }

    /// Whether requests are sent.
    var isClosed: Bool {
        if case .closed = state { true } else { false }
    }

    /// Records that the gateway answered a request.
    mutating func succeed(at moment: Duration) {
        state = .closed(failures: 0)
        answeredAt = moment
    }

    /// Records that a request got no answer. The failure counts only if the breaker is closed and the gateway has
    /// answered no other request since this one was sent. Otherwise the gateway is up, and only this request was
    /// not answered.
    ///
    /// - Parameter sentAt: when the request was sent.
    mutating func fail(at moment: Duration, sentAt: Duration) {
        guard case .closed(let failures) = state, answeredAt.map({ $0 <= sentAt }) ?? true else { return }
        state = failures + 1 < failureLimit ? .closed(failures: failures + 1) : .open(probeAt: moment + pause)
    }

    /// Returns whether a probe must be sent now. No other probe is due until that one succeeds or fails.
    mutating func beginProbe(at moment: Duration) -> Bool {
        guard case .open(let probeAt) = state, probeAt <= moment else { return false }
        state = .halfOpen
        return true
    }

    mutating func failProbe(at moment: Duration) {
        if state == .halfOpen { state = .open(probeAt: moment + pause) }
    }
}
