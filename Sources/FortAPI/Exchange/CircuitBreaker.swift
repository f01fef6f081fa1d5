/// Whether FORT is taken for reachable. Pure: it is told what happened and when, and says what may be done.
///
/// Closed, requests go through. After enough failures in a row it opens, and nothing goes through but a probe now and then;
/// one that is answered closes it. No caller's payment is the probe.
struct CircuitBreaker {
    enum State: Equatable {
        /// How many requests in a row have failed.
        case closed(failures: Int)
        case open(probeAt: Duration)
        /// A probe is out.
        case halfOpen
    }

    private(set) var state = State.closed(failures: 0)
    /// When FORT answered last; nil where it has not yet.
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

    /// FORT answered, whichever request it was.
    mutating func succeed(at moment: Duration) {
        state = .closed(failures: 0)
        answeredAt = moment
    }

    /// A request got no answer. Those that were under way when it opened say nothing new; and where FORT has answered another
    /// one since this one was sent, it is this one that FORT does not answer, and not FORT that is away.
    ///
    /// - Parameter sentAt: when the request was sent.
    mutating func fail(at moment: Duration, sentAt: Duration) {
        guard case .closed(let failures) = state, answeredAt.map({ $0 <= sentAt }) ?? true else { return }
        state = failures + 1 < failureLimit ? .closed(failures: failures + 1) : .open(probeAt: moment + pause)
    }

    /// Whether a probe is to go out now. It is then counted as out, until it succeeds or fails.
    mutating func beginProbe(at moment: Duration) -> Bool {
        guard case .open(let probeAt) = state, probeAt <= moment else { return false }
        state = .halfOpen
        return true
    }

    mutating func failProbe(at moment: Duration) {
        if state == .halfOpen { state = .open(probeAt: moment + pause) }
    }
}
