/// Decides whether requests are sent to a gateway, from the failures and answers of the requests before. Pure: time comes as a
/// parameter.
///
/// While it is closed, requests are sent. After ``failureLimit`` failures in a row it opens: only a probe is sent from time
/// to time, and its answer closes the breaker. A payment is never the probe.
struct CircuitBreaker {
    enum State: Equatable {
        /// How many requests in a row have failed.
        case closed(failures: Int)
        case open(probeAt: Duration)
        /// A probe is out.
        case halfOpen
    }

    private(set) var state = State.closed(failures: 0)
    /// When the gateway answered last; nil where it has not yet.
    private var answeredAt: Duration?
    /// How many failures in a row open it.
    let failureLimit: Int
    /// How long it stays open before a probe, and between one probe and the next.
    let pause: Duration

    init(failureLimit: Int, pause: Duration = .seconds(1)) {
        self.failureLimit = failureLimit
        self.pause = pause
    }

    /// Whether requests go through.
    var isClosed: Bool {
        if case .closed = state { true } else { false }
    }

    /// The gateway answered, whichever request it was.
    mutating func succeed(at moment: Duration) {
        state = .closed(failures: 0)
        answeredAt = moment
    }

    /// A request got no answer. It counts only while the breaker is closed, and only where the gateway has answered no other
    /// request since this one was sent: otherwise it is up and does not answer this request alone.
    ///
    /// - Parameter sentAt: when the request was sent.
    mutating func fail(at moment: Duration, sentAt: Duration) {
        guard case .closed(let failures) = state, answeredAt.map({ $0 <= sentAt }) ?? true else { return }
        state = failures + 1 < failureLimit ? .closed(failures: failures + 1) : .open(probeAt: moment + pause)
    }

    /// Whether to send a probe now. Until that probe succeeds or fails no other is due.
    mutating func beginProbe(at moment: Duration) -> Bool {
        guard case .open(let probeAt) = state, probeAt <= moment else { return false }
        state = .halfOpen
        return true
    }

    mutating func failProbe(at moment: Duration) {
        if state == .halfOpen { state = .open(probeAt: moment + pause) }
    }
}
