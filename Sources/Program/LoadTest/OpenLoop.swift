import Charts

/// Decides what a generator does next. It never waits for an answer before it sends the next request.
///
/// A loop that waits for answers sends nothing while the server stalls, and so omits the very requests that would have been slow
/// ("coordinated omission", Gil Tene). Here a generator that fell behind sends everything that is due at once, and latency counts
/// from ``ArrivalSchedule/due(_:)``.
public struct OpenLoop: Sendable {
    /// The generator's next step.
    public enum Step: Sendable, Equatable {
        /// Send this request.
        case send(Int)
        /// This request is due and cannot be sent: the limit of requests in flight is reached.
        case leaveOut(Int)
        /// Nothing is due before this moment, counted from the start.
        case wait(until: Duration)
        /// Every request was sent or left out.
        case done
    }

    private let schedule: ArrivalSchedule
    private let inFlightLimit: Int
    private var next = 0

    /// - Parameter inFlightLimit: how many requests may be in flight at once.
    public init(_ schedule: ArrivalSchedule, inFlightLimit: Int) {
        self.schedule = schedule
        self.inFlightLimit = inFlightLimit
    }

    /// - Parameters:
    ///   - elapsed: since the start.
    ///   - inFlight: how many requests are in flight.
    public mutating func step(at elapsed: Duration, inFlight: Int) -> Step {
        guard next < schedule.count else { return .done }
        let due = schedule.due(next)
        guard due <= elapsed else { return .wait(until: due) }
        defer { next += 1 }
        return inFlight < inFlightLimit ? .send(next) : .leaveOut(next)
    }
}

/// The time at which each request should be sent: at a constant rate, independent of answers.
public struct ArrivalSchedule: Sendable, Equatable {
    /// Requests a second.
    public let rate: Double
    /// How many leave; their numbers count from 0.
    public let count: Int

    /// As many requests as fit into the duration, the first at its beginning.
    ///
    /// - Parameters:
    ///   - rate: requests a second, more than 0.
    ///   - duration: more than 0.
    public init(rate: Double, duration: Duration) {
        precondition(rate > 0 && duration > .zero, "a schedule has a rate and a duration")
        self.rate = rate
        count = max(1, Int((rate * duration.inSeconds).rounded()))
    }

    /// Returns the time at which a request should be sent, counted from the start.
    public func due(_ number: Int) -> Duration {
        // From the number and not from the one before: rounding does not add up.
        .nanoseconds(Int64((Double(number) * 1e9 / rate).rounded()))
    }

    /// The moment at which all have left, counted from the start.
    public var end: Duration { due(count) }
}
