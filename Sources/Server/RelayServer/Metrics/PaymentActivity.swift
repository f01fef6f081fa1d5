public import FoundationEssentials
import Observability
import Synchronization

/// Outcomes and durations of payment requests in the last hours, minute by minute. They are the differences
/// between successive samples of the metrics, so a payment costs nothing extra. Must be sampled once a minute.
/// Kept in memory, for this process only.
public final class PaymentActivity: Sendable {
    /// Six hours.
    public static let minutesKept = 360

    /// The time between two samples.
    public struct Minute: Sendable {
        public let end: Date
        /// The number of payment requests by outcome, as in the metric `payrelay_payments_total`.
        public let outcomes: [String: Int]
        /// The number of payment requests in each bucket of ``PaymentActivity/bounds``, followed by the number of
        /// longer requests.
        public let durations: [Int]

        public init(end: Date, outcomes: [String: Int], durations: [Int]) {
            self.end = end
            self.outcomes = outcomes
            self.durations = durations
        }

        public var payments: Int { outcomes.values.reduce(0, +) }
    }

    /// The upper bounds of the buckets: inclusive, ascending, in seconds.
    public static let bounds = MetricBounds.ofExchanges

    private struct State {
        /// The minutes, the oldest first.
        var minutes: [Minute] = []
        var outcomes: [String: Int64] = [:]
        var durations = [Int64](repeating: 0, count: PaymentActivity.bounds.count + 1)
    }

    private let registry: MetricsRegistry
    private let state = Mutex(State())

    public init(_ metrics: RelayMetrics) {
        registry = metrics.registry
    }

    /// The sampled minutes, the oldest first; at most ``minutesKept``.
    public var minutes: [Minute] { state.withLock { $0.minutes } }

    /// Adds a minute with the changes since the previous sample.
    public func sample(at moment: Date) {
        let outcomes = Dictionary(
            registry.readings(of: RelayMetrics.paymentsName).compactMap { series in
                series.labels.first.map { ($0.value, series.counts[0]) }
            }, uniquingKeysWith: +)
        var durations = [Int64](repeating: 0, count: Self.bounds.count + 1)
        for series in registry.readings(of: RelayMetrics.requestsName) where Self.isRequestToPay(series) {
            for (index, count) in series.counts.prefix(durations.count).enumerated() { durations[index] += count }
        }
        state.withLock { state in
            let changes = outcomes.compactMapValues { Int(exactly: $0) }.map { outcome, count in
                (outcome, count - Int(state.outcomes[outcome] ?? 0))
            }
            state.minutes.append(
                Minute(
                    end: moment, outcomes: Dictionary(uniqueKeysWithValues: changes.filter { $0.1 > 0 }),
                    durations: zip(durations, state.durations).map { max(0, Int($0 - $1)) }))
            state.minutes.removeFirst(max(0, state.minutes.count - Self.minutesKept))
            (state.outcomes, state.durations) = (outcomes, durations)
        }
    }

    private static func isRequestToPay(_ series: SeriesReading) -> Bool {
        series.labels.contains { $0.name == "http_request_method" && $0.value == "POST" }
            && series.labels.contains { $0.name == "http_route" && routes.contains($0.value) }
    }

    private static let routes: Set = ["/v1/payments", "/v1/recurring-payments"]
}
