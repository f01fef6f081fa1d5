/// Says what a generator is to do at a moment. It never waits for an answer: what is due is due.
///
/// A loop that waits for answers before it asks again sends nothing while the server stands still, and so leaves out just
/// the requests that would have suffered ("coordinated omission", Gil Tene). Here a generator that fell behind sends all
/// that is due at once, and whoever measures counts from ``ArrivalSchedule/due(_:)``.
public struct OpenLoop: Sendable {
    /// What to do now.
    public enum Step: Sendable, Equatable {
        /// Send this request.
        case send(Int)
        /// This request is due and cannot be sent: as many as may be are under way.
        case leaveOut(Int)
        /// Nothing is due before this moment, counted from the start.
        case wait(until: Duration)
        /// Every request had its turn.
        case done
    }

    private let schedule: ArrivalSchedule
    private let inFlightLimit: Int
    private var next = 0

    /// - Parameter inFlightLimit: how many requests may be under way at once.
    public init(_ schedule: ArrivalSchedule, inFlightLimit: Int) {
        self.schedule = schedule
        self.inFlightLimit = inFlightLimit
    }

    /// - Parameters:
    ///   - elapsed: since the start.
    ///   - inFlight: how many requests are under way.
    public mutating func step(at elapsed: Duration, inFlight: Int) -> Step {
        guard next < schedule.count else { return .done }
        let due = schedule.due(next)
        guard due <= elapsed else { return .wait(until: due) }
        defer { next += 1 }
        return inFlight < inFlightLimit ? .send(next) : .leaveOut(next)
    }
}
