/// A metric that counts what happens.
struct CounterFamily<Labels: MetricLabels>: MetricFamily {
    let description: MetricDescription
    private let series = MetricSeries<Labels, AtomicCount> { AtomicCount() }

    /// - Parameters:
    ///   - name: ends in `_total`, as Prometheus has it.
    ///   - known: series that stand at 0 from the start, so that the first event is seen as an increase.
    init(_ name: String, _ help: String, of labels: Labels.Type, known: [Labels] = []) {
        description = MetricDescription(name: name, kind: .counter, help: help, labels: Labels.names)
        for labels in known { _ = series[labels] }
    }

    func count(_ labels: Labels) {
        series[labels].add(1)
    }

    func write(to text: inout PrometheusText) {
        text.begin(description)
        for (labels, count) in series.all { text.sample(description.name, labels, Double(count.value)) }
    }
}
