/// When each request should leave: at a constant rate, whatever became of the ones before.
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

    /// When a request should leave, counted from the start.
    public func due(_ number: Int) -> Duration {
        // From the number and not from the one before: rounding does not add up.
        .nanoseconds(Int64((Double(number) * 1e9 / rate).rounded()))
    }

    /// The moment at which all have left, counted from the start.
    public var end: Duration { due(count) }
}
