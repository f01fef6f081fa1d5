/// When an open payment is asked about again: with exponential backoff, for as long as it is open.
struct ReconciliationSchedule: Sendable {
    static let longestPause = Duration.seconds(60)

    private let backoff: ExponentialBackoff

    init(jitter: @escaping @Sendable () -> Double = { .random(in: 0.75...1) }) {
        backoff = ExponentialBackoff(longest: Self.longestPause, jitter: jitter)
    }

    /// - Parameter number: how many times the payment was leased to be asked about.
    func pause(afterLease number: Int) -> Duration { backoff.pause(afterAttempt: number) }
}
