public import CoreMetrics
import PayrelayPrimitives
import Synchronization

/// The backend of swift-metrics: every series that the process reports, for scraping.
///
/// Declared metrics have a help text, buckets, and labels with types (``CounterFamily`` and ``HistogramFamily``).
/// A metric that a library reports without a declaration is exposed under its own name. The number of series is
/// bounded. When the bound is reached, further series of a metric are counted together as one, with the label
/// `otel_metric_overflow="true"`, like in OpenTelemetry's metrics SDK.
public final class MetricsRegistry: MetricsFactory, Sendable {
    private struct State {
        /// The names, in the order in which the metrics were declared or first used.
        var names: [String] = []
        var families: [String: RegisteredFamily] = [:]
        var seriesCount = 0
    }

    private let state = Mutex(State())
    private let seriesMax: Int

    /// - Parameter seriesMax: the maximum number of series of all metrics together.
    public init(seriesMax: Int = 10_000) {
        self.seriesMax = seriesMax
    }

    /// Declares a metric before its first series. A second declaration of the same name is ignored.
    ///
    /// - Parameter bounds: the bounds of a histogram's buckets: inclusive, ascending, in seconds.
    func declare(_ description: MetricDescription, bounds: [Double] = MetricBounds.advised) {
        state.withLock { state in
            guard state.families[description.name] == nil else { return }
            state.names.append(description.name)
            state.families[description.name] = RegisteredFamily(description: description, bounds: bounds)
        }
    }

    /// All metrics, in the order in which they were declared or first used.
    public var families: [any MetricFamily] {
        state.withLock { state in state.names.compactMap { state.families[$0] } }
    }

    /// Returns the current values of the series of a counter or a histogram; empty if there is no such metric.
    public func readings(of name: String) -> [SeriesReading] {
        state.withLock { $0.families[name] }?.readings ?? []
    }

    public func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        series(of: label, suffix: "_total", .counter, dimensions).counter
    }

    public func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        series(of: label, suffix: "_seconds", .histogram, dimensions).histogram
    }

    /// Returns a histogram if values are aggregated, otherwise a gauge.
    public func makeRecorder(
        label: String, dimensions: [(String, String)], aggregate: Bool
    ) -> any RecorderHandler {
        let series = series(of: label, suffix: "", aggregate ? .histogram : .gauge, dimensions)
        return aggregate ? series.histogram : series.gauge
    }

    /// Series stay until the process ends, as Prometheus expects of counters. Their number is bounded.
    public func destroyCounter(_ handler: any CounterHandler) {}
    public func destroyTimer(_ handler: any TimerHandler) {}
    public func destroyRecorder(_ handler: any RecorderHandler) {}

    private func series(
        of label: String, suffix: String, _ kind: MetricDescription.Kind, _ dimensions: [(String, String)]
    ) -> RegisteredSeries {
        state.withLock { state in
            var name = Self.prometheusName(label)
            if state.families[name] == nil, !name.ends(with: suffix) { name += suffix }
            // Prometheus treats the same name with another kind as another metric, so the kind is appended.
            if let family = state.families[name], family.description.kind != kind { name += "_\(kind.rawValue)" }
            let family =
                state.families[name]
                ?? RegisteredFamily(
                    description: MetricDescription(
                        name: name, kind: kind, help: "Reported as \(label).",
                        labels: dimensions.map { Self.prometheusName($0.0) }),
                    bounds: MetricBounds.advised)
            if state.families[name] == nil {
                state.families[name] = family
                state.names.append(name)
            }
            var labels = dimensions.map { RegisteredFamily.Label(name: Self.prometheusName($0.0), value: $0.1) }
            if let known = family.series(labels) { return known }
            if state.seriesCount >= seriesMax {
                labels = [.overflow]
                if let known = family.series(labels) { return known }
            }
            state.seriesCount += 1
            return family.addSeries(labels)
        }
    }

    /// Returns the label with every character replaced that is not a letter, a digit, an underscore or a colon.
    /// The result does not begin with a digit.
    private static func prometheusName(_ label: String) -> String {
        var name = label.unicodeScalars.first.map { ("0"..."9").contains($0) } == true ? "_" : ""
        for scalar in label.unicodeScalars {
            switch scalar {
            case "a"..."z", "A"..."Z", "0"..."9", "_", ":": name.unicodeScalars.append(scalar)
            default: name += "_"
            }
        }
        return name.isEmpty ? "_" : name
    }
}

/// The current value of one series of a counter or a histogram.
public struct SeriesReading: Sendable {
    public let labels: [(name: String, value: String)]
    /// For a counter, one number. For a histogram, the number in each bucket, not cumulative; the last
    /// number is beyond every bound.
    public let counts: [Int64]
}

/// A metric of the registry.
private final class RegisteredFamily: MetricFamily {
    struct Label: Hashable {
        let name: String
        let value: String

        static let overflow = Label(name: "otel_metric_overflow", value: "true")
    }

    let description: MetricDescription
    private let bounds: [Double]
    private let all = Mutex<[[Label]: RegisteredSeries]>([:])

    init(description: MetricDescription, bounds: [Double]) {
        self.description = description
        self.bounds = bounds
    }

    func series(_ labels: [Label]) -> RegisteredSeries? { all.withLock { $0[labels] } }

    func addSeries(_ labels: [Label]) -> RegisteredSeries {
        let new = RegisteredSeries(bounds: description.kind == .histogram ? bounds : [])
        all.withLock { $0[labels] = new }
        return new
    }

    var readings: [SeriesReading] {
        all.withLock { $0 }.map { labels, series in
            SeriesReading(
                labels: labels.map { ($0.name, $0.value) },
                counts: description.kind == .histogram
                    ? series.histogram.counts : [series.counter.value])
        }
    }

    /// Writes the series in the order of their labels, so that two scrapes can be compared.
    func write(to text: inout PrometheusText) {
        text.begin(description)
        let sorted = all.withLock { $0 }.sorted {
            $0.key.map(\.value).lexicographicallyPrecedes($1.key.map(\.value))
        }
        for (labels, series) in sorted {
            let pairs = labels.map { ($0.name, $0.value) }
            switch description.kind {
            case .counter: text.sample(description.name, pairs, Double(series.counter.value))
            case .gauge: text.sample(description.name, pairs, series.gauge.value)
            case .histogram: series.histogram.write(as: description.name, pairs, to: &text)
            }
        }
    }
}

/// The value of one series, for every kind of metric.
private struct RegisteredSeries {
    let counter = AtomicCounter()
    let gauge = AtomicGauge()
    let histogram: AtomicHistogram

    init(bounds: [Double]) {
        histogram = AtomicHistogram(bounds: bounds)
    }
}

private final class AtomicCounter: CounterHandler {
    private let number = Atomic<Int64>(0)

    var value: Int64 { number.load(ordering: .relaxed) }

    func increment(by amount: Int64) { number.wrappingAdd(amount, ordering: .relaxed) }

    func reset() { number.store(0, ordering: .relaxed) }
}

private final class AtomicGauge: RecorderHandler {
    private let bits = Atomic<UInt64>(0)

    var value: Double { Double(bitPattern: bits.load(ordering: .relaxed)) }

    func record(_ value: Int64) { record(Double(value)) }

    func record(_ value: Double) { bits.store(value.bitPattern, ordering: .relaxed) }
}

/// The buckets and the sum of a histogram. The buckets are not cumulative.
private final class AtomicHistogram: TimerHandler, RecorderHandler {
    private let bounds: [Double]
    /// One bucket for each bound, and one for values above all bounds.
    private let buckets: [AtomicCounter]
    /// The sum in billionths, so that it can be increased without a lock.
    private let sum = AtomicCounter()

    init(bounds: [Double]) {
        self.bounds = bounds
        buckets = (0...bounds.count).map { _ in AtomicCounter() }
    }

    var counts: [Int64] { buckets.map(\.value) }

    func recordNanoseconds(_ duration: Int64) {
        let seconds = Double(duration) / 1e9
        buckets[bounds.firstIndex { seconds <= $0 } ?? bounds.count].increment(by: 1)
        sum.increment(by: duration)
    }

    func record(_ value: Int64) { record(Double(value)) }

    func record(_ value: Double) {
        buckets[bounds.firstIndex { value <= $0 } ?? bounds.count].increment(by: 1)
        sum.increment(by: Int64(exactly: (value * 1e9).rounded()) ?? 0)
    }

    func write(as name: String, _ labels: [(String, String)], to text: inout PrometheusText) {
        var count: Int64 = 0
        // The count is the sum of the bucket values that were read, so that it matches them even while other
        // threads record values.
        for (bound, bucket) in zip(bounds + [.infinity], buckets) {
            count += bucket.value
            text.sample(name + "_bucket", labels, Double(count), upTo: bound)
        }
        text.sample(name + "_sum", labels, Double(sum.value) / 1e9)
        text.sample(name + "_count", labels, Double(count))
    }
}
