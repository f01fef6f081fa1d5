/// Pauses that double from one second up to the longest pause. Each is shortened at random by up to a quarter, so
/// that attempts that began together do not stay in step.
struct ExponentialBackoff: Sendable {
    let longest: Duration
    /// Returns a factor, drawn anew for each pause.
    var jitter: @Sendable () -> Double = { .random(in: 0.75...1) }

    /// - Parameter number: the number of attempts so far.
    func pause(afterAttempt number: Int) -> Duration {
        min(longest, .seconds(1 << min(max(number - 1, 0), 30))) * jitter()
    }
}
