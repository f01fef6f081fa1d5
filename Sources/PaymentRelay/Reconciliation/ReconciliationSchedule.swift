/// How long a payment is left alone once the processor was asked about it in vain: pauses that double from one second to a
/// minute, each shortened by up to a quarter by chance so that many payments do not ask in step.
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
