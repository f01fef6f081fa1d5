/// A metric that is looked up when it is asked for. What cannot be found out is absent, which an alert can see.
struct FoundFamily<Labels: MetricLabels>: MetricFamily {
    let description: MetricDescription
    private let values: [(labels: Labels, value: Double)]

    init(
        _ name: String, _ kind: MetricDescription.Kind, _ help: String,
        _ values: [(labels: Labels, value: Double)]
    ) {
        description = MetricDescription(name: name, kind: kind, help: help, labels: Labels.names)
        self.values = values
    }

    func write(to text: inout PrometheusText) {
        text.begin(description)
        for (labels, value) in values { text.sample(description.name, labels, value) }
    }
}

extension FoundFamily where Labels == NoLabels {
    init(_ name: String, _ help: String, _ value: Int?) {
        self.init(name, .gauge, help, value.map { [(NoLabels(), Double($0))] } ?? [])
    }
}
