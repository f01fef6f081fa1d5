/// When an event is delivered again: with exponential backoff, and at last not any more.
struct EventSchedule: Sendable {
    static let longestPause = Duration.seconds(3_600)
    /// About three days; then the event is dead-lettered.
    static let attemptsAtMost = 84

    private let backoff: ExponentialBackoff

    init(jitter: @escaping @Sendable () -> Double = { .random(in: 0.75...1) }) {
        backoff = ExponentialBackoff(longest: Self.longestPause, jitter: jitter)
    }

    /// Nil where there were enough attempts.
    func pause(afterAttempt number: Int) -> Duration? {
        number < Self.attemptsAtMost ? backoff.pause(afterAttempt: number) : nil
    }
}
