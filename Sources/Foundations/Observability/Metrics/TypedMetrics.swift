public import CoreMetrics
public import PayrelayPrimitives
public import Synchronization

/// A counter with typed labels. It counts through swift-metrics.
public struct CounterFamily<Labels: MetricLabels>: Sendable {
    @usableFromInline let series: TypedSeries<Labels, Counter>

    /// - Parameters:
    ///   - name: the name, which ends in `_total` by Prometheus' convention.
    ///   - known: the series that are 0 from the start, so that the first event is seen as an increase.
    public init(
        _ name: String, _ help: String, of labels: Labels.Type, known: [Labels] = [], in registry: MetricsRegistry
    ) {
        registry.declare(MetricDescription(name: name, kind: .counter, help: help, labels: Labels.names))
        series = TypedSeries { Counter(label: name, dimensions: $0.dimensions, factory: registry) }
        for labels in known { _ = series[labels] }
    }

    @inlinable public func count(_ labels: Labels) {
        series[labels].increment()
    }
}

/// A histogram of durations with typed labels. It records through swift-metrics.
public struct HistogramFamily<Labels: MetricLabels>: Sendable {
    @usableFromInline let series: TypedSeries<Labels, Timer>

    /// - Parameters:
    ///   - name: the name, which ends in `_seconds`.
    ///   - bounds: the bounds of its buckets: inclusive, ascending, in seconds.
    public init(
        _ name: String, _ help: String, of labels: Labels.Type, bounds: [Double] = MetricBounds.advised,
        in registry: MetricsRegistry
    ) {
        registry.declare(
            MetricDescription(name: name, kind: .histogram, help: help, labels: Labels.names), bounds: bounds)
        series = TypedSeries { Timer(label: name, dimensions: $0.dimensions, factory: registry) }
    }

    @inlinable public func record(_ duration: Duration, _ labels: Labels) {
        series[labels].recordNanoseconds(duration.nanoseconds)
    }
}

/// A gauge with typed labels, which shows the last value. It records through swift-metrics.
public struct GaugeFamily<Labels: MetricLabels>: Sendable {
    private let series: TypedSeries<Labels, Gauge>

    public init(_ name: String, _ help: String, of labels: Labels.Type, in registry: MetricsRegistry) {
        registry.declare(MetricDescription(name: name, kind: .gauge, help: help, labels: Labels.names))
        series = TypedSeries { Gauge(label: name, dimensions: $0.dimensions, aggregate: false, factory: registry) }
    }

    public func set(_ value: Double, _ labels: Labels) {
        series[labels].record(value)
    }
}

/// The bounds of histograms, in seconds.
public enum MetricBounds {
    /// OpenTelemetry's recommendation for `http.server.request.duration`.
    public static let advised: [Double] = [
        0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10,
    ]
    /// ``advised`` with longer durations for a slow gateway. By default, a payment is answered within 20 seconds.
    public static let ofExchanges = advised + [20, 30, 60]
    /// ``ofExchanges`` with shorter durations. Verifying a token takes a tenth of a millisecond.
    public static let ofSteps = [0.0001, 0.00025, 0.0005, 0.001, 0.0025] + ofExchanges
}

/// The series of one metric by their labels. Each series is created when it is first used.
///
/// The subscript is inlinable because it is used several times for each payment. If the type of the labels is
/// known, the inlined code needs no witness tables.
@usableFromInline final class TypedSeries<Labels: MetricLabels, Series: Sendable>: Sendable {
    @usableFromInline let series = Mutex<[Labels: Series]>([:])
    @usableFromInline let make: @Sendable (Labels) -> Series

    init(_ make: @escaping @Sendable (Labels) -> Series) {
        self.make = make
    }

    @inlinable subscript(labels: Labels) -> Series {
        series.withLock { series in
            if let known = series[labels] { return known }
            let new = make(labels)
            series[labels] = new
            return new
        }
    }
}
