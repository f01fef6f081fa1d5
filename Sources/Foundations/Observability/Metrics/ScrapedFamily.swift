/// A metric whose values are looked up when it is scraped. A value that cannot be looked up is absent, which an
/// alert can detect.
public struct ScrapedFamily<Labels: MetricLabels>: MetricFamily {
    public let description: MetricDescription
    private let values: [(labels: Labels, value: Double)]

    public init(
        _ name: String, _ kind: MetricDescription.Kind, _ help: String,
        _ values: [(labels: Labels, value: Double)]
    ) {
        description = MetricDescription(name: name, kind: kind, help: help, labels: Labels.names)
        self.values = values
    }

    public func write(to text: inout PrometheusText) {
        text.begin(description)
        for (labels, value) in values { text.sample(description.name, labels.dimensions, value) }
    }
}

extension ScrapedFamily where Labels == NoLabels {
    /// Creates a gauge with one series, or without a series if the value is `nil`.
    public init(_ name: String, _ help: String, _ value: Int?) {
        self.init(name, .gauge, help, value.map { [(NoLabels(), Double($0))] } ?? [])
    }
}
