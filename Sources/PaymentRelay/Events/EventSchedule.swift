/// Exponential backoff of delivery attempts: pauses double from one second to an hour, each shortened at random by up
/// to a quarter so that many events do not come in step after an outage.
struct EventSchedule: Sendable {
    static let longestPause = Duration.seconds(3_600)
    /// About three days; then the event is dead-lettered.
    static let attemptsAtMost = 84

    /// Drawn for each pause, and multiplied with it.
    let jitter: @Sendable () -> Double

    init(jitter: @escaping @Sendable () -> Double = { .random(in: 0.75...1) }) {
        self.jitter = jitter
    }

    /// Nil where there were enough attempts.
    func pause(afterAttempt number: Int) -> Duration? {
        guard number < Self.attemptsAtMost else { return nil }
        return min(Self.longestPause, .seconds(1 << min(max(number - 1, 0), 12))) * jitter()
    }
}
