/// A metric with all its series.
protocol MetricFamily: Sendable {
    var description: MetricDescription { get }

    /// Adds what it stands at to the text.
    func write(to text: inout PrometheusText)
}
