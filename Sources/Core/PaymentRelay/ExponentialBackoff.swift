/// Pauses that double from one second to the longest, each shortened at random by up to a quarter, so that many that began together
/// do not come back in step.
struct ExponentialBackoff: Sendable {
    let longest: Duration
    /// Drawn for each pause, and multiplied with it.
    var jitter: @Sendable () -> Double = { .random(in: 0.75...1) }

    /// - Parameter number: of attempts so far.
    func pause(afterAttempt number: Int) -> Duration {
        min(longest, .seconds(1 << min(max(number - 1, 0), 30))) * jitter()
    }
}
