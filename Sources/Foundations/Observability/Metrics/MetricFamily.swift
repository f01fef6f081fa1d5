/// A metric with all its series.
public protocol MetricFamily: Sendable {
    var description: MetricDescription { get }

    /// Appends the series of the metric with their current values.
    func write(to text: inout PrometheusText)
}

/// The metadata of a metric: the name, type and help text that precede its series in the exposition format, and
/// the names of its labels.
public struct MetricDescription: Hashable, Sendable {
    public enum Kind: String, Sendable {
        case counter, gauge, histogram
    }

    public let name: String
    public let kind: Kind
    /// The help text, on one line.
    public let help: String
    /// The names of the labels, which are the same for every series.
    public let labels: [String]

    public init(name: String, kind: Kind, help: String, labels: [String]) {
        self.name = name
        self.kind = kind
        self.help = help
        self.labels = labels
    }
}

/// The labels of a metric. There is one type for each set of label names, so that a metric has only one set.
/// Their values are known in the code, so that clients cannot increase the number of series.
public protocol MetricLabels: Hashable, Sendable {
    static var names: [String] { get }
    /// The values, in the order of the names.
    var values: [String] { get }
}

extension MetricLabels {
    /// The labels in the form of swift-metrics.
    var dimensions: [(String, String)] { Array(zip(Self.names, values)) }
}

/// The only label of a metric whose label values are the cases of an enumeration.
public protocol MetricLabel: MetricLabels, RawRepresentable where RawValue == String {
    static var labelName: String { get }
}

extension MetricLabel {
    public static var names: [String] { [labelName] }
    public var values: [String] { [rawValue] }
}

/// The labels of a metric that has a single series and no labels.
public struct NoLabels: MetricLabels {
    public static let names: [String] = []
    public let values: [String] = []

    public init() {}
}
