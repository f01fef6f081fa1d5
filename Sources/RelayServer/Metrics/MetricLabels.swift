/// The labels of a metric. One type for each set of names, so that a metric cannot have two; and made of values that this
/// code knows beforehand, so that no client can make their number grow.
protocol MetricLabels: Hashable, Sendable {
    static var names: [String] { get }
    /// As many as there are names, in their order.
    var values: [String] { get }
}

/// Of a metric that has one series.
struct NoLabels: MetricLabels {
    static let names: [String] = []
    let values: [String] = []
}
