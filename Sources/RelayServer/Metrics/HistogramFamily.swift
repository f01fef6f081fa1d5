/// A metric that sorts durations into buckets.
struct HistogramFamily<Labels: MetricLabels>: MetricFamily {
    private struct Histogram: Sendable {
        /// One for each bound and one for what lies above them all; what is in one is in no other.
        let buckets: [AtomicCount]
        let nanoseconds = AtomicCount()
    }

    let description: MetricDescription
    /// Inclusive, ascending, in seconds.
    private let bounds: [Double]
    private let series: MetricSeries<Labels, Histogram>

    /// - Parameter name: ends in `_seconds`.
    init(_ name: String, _ help: String, of labels: Labels.Type, bounds: [Double] = MetricBounds.advised) {
        description = MetricDescription(name: name, kind: .histogram, help: help, labels: Labels.names)
        self.bounds = bounds
        series = MetricSeries { Histogram(buckets: (0...bounds.count).map { _ in AtomicCount() }) }
    }

    func record(_ duration: Duration, _ labels: Labels) {
        let histogram = series[labels]
        let seconds = duration / .seconds(1)
        histogram.buckets[bounds.firstIndex { seconds <= $0 } ?? bounds.count].add(1)
        histogram.nanoseconds.add(Int(duration / .nanoseconds(1)))
    }

    func write(to text: inout PrometheusText) {
        text.begin(description)
        for (labels, histogram) in series.all {
            var count = 0
            // The count is the sum of what the buckets were read as: it agrees with them even while others record.
            for (bound, bucket) in zip(bounds + [.infinity], histogram.buckets) {
                count += bucket.value
                text.sample(description.name + "_bucket", labels, Double(count), upTo: bound)
            }
            text.sample(description.name + "_sum", labels, Double(histogram.nanoseconds.value) / 1e9)
            text.sample(description.name + "_count", labels, Double(count))
        }
    }
}

enum MetricBounds {
    /// OpenTelemetry's advice for `http.server.request.duration`.
    static let advised: [Double] = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10]
    /// The same, and what FORT takes when it is slow.
    static let ofFort = advised + [20, 30, 60]
    /// The same, and below: a token is verified in a tenth of a millisecond.
    static let ofSteps = [0.0001, 0.00025, 0.0005, 0.001, 0.0025] + ofFort
}
