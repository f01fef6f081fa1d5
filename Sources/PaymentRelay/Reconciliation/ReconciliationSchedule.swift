/// Exponential backoff of queries about an open payment: pauses double from one second to a minute, each shortened at
/// random by up to a quarter so that many payments are not queried in step.
struct ReconciliationSchedule: Sendable {
    static let longestPause = Duration.seconds(60)

    /// Drawn for each pause, and multiplied with it.
    let jitter: @Sendable () -> Double

    init(jitter: @escaping @Sendable () -> Double = { .random(in: 0.75...1) }) {
        self.jitter = jitter
    }

    /// - Parameter number: how many times the payment was leased to be asked about.
    func pause(afterLease number: Int) -> Duration {
        min(Self.longestPause, .seconds(1 << min(max(number - 1, 0), 6))) * jitter()
    }
}
