import Observability

/// Decides the generator's next step. It never waits for a response before it sends the next request.
///
/// A loop that waits for responses sends nothing while the server stalls, and so omits exactly those requests
/// that would have been slow ("coordinated omission", Gil Tene). Therefore a generator that has fallen behind
/// sends everything that is due at once, and latency is measured from ``ArrivalSchedule/due(_:)``.
struct OpenLoop: Sendable {
    /// The generator's next step.
    enum Step: Sendable, Equatable {
        /// Send this request.
        case send(Int)
        /// Leave out this request, which is due but exceeds the limit of requests in flight.
        case leaveOut(Int)
        /// Wait until this time after the start, because nothing is due before it.
        case wait(until: Duration)
        /// Every request was sent or left out.
        case done
    }

    private let schedule: ArrivalSchedule
    private let inFlightLimit: Int
    private var next = 0

    /// - Parameter inFlightLimit: the maximum number of requests in flight.
    init(_ schedule: ArrivalSchedule, inFlightLimit: Int) {
        self.schedule = schedule
        self.inFlightLimit = inFlightLimit
    }

    /// Returns the next step, and counts it as made unless it is to wait.
    ///
    /// - Parameters:
    ///   - elapsed: the time since the start.
    ///   - inFlight: the number of requests in flight.
    mutating func step(at elapsed: Duration, inFlight: Int) -> Step {
        guard next < schedule.count else { return .done }
        let due = schedule.due(next)
        guard due <= elapsed else { return .wait(until: due) }
        defer { next += 1 }
        return inFlight < inFlightLimit ? .send(next) : .leaveOut(next)
    }
}

/// The time at which each request should be sent: at a constant rate, independent of responses.
struct ArrivalSchedule: Sendable, Equatable {
    /// The rate in requests per second.
    let rate: Double
    /// The number of requests. They are numbered from 0.
    let count: Int

    /// Creates a schedule with as many requests as fit into the duration. The first is due at the start.
    ///
    /// - Parameters:
    ///   - rate: requests per second, more than 0.
    ///   - duration: the duration, more than 0.
    init(rate: Double, duration: Duration) {
        precondition(rate > 0 && duration > .zero, "a schedule has a rate and a duration")
        self.rate = rate
        count = max(1, Int((rate * duration.inSeconds).rounded()))
    }

    /// Returns the time after the start at which a request should be sent.
    func due(_ number: Int) -> Duration {
        // Calculated from the number and not from the previous time, so that rounding errors do not add up.
        .nanoseconds(Int64((Double(number) * 1e9 / rate).rounded()))
    }

    /// The time after the start at which all requests should have been sent.
    var end: Duration { due(count) }
}
