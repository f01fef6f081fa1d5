/// A metric with all its series.
public protocol MetricFamily: Sendable {
    var description: MetricDescription { get }

    /// Appends its series with their present values.
    func write(to text: inout PrometheusText)
}

/// Metadata of a metric: the name, type and help that precede its series in the exposition, and its labels' names.
public struct MetricDescription: Hashable, Sendable {
    public enum Kind: String, Sendable {
        case counter, gauge, histogram
    }

    public let name: String
    public let kind: Kind
    /// One line.
    public let help: String
    /// The names of its labels, the same for each of its series.
    public let labels: [String]

    public init(name: String, kind: Kind, help: String, labels: [String]) {
        self.name = name
        self.kind = kind
        self.help = help
        self.labels = labels
    }
}

/// The labels of a metric. One type for each set of names, so that a metric cannot have two; made of values that the code knows
/// beforehand, so that no client can make the number of series grow.
public protocol MetricLabels: Hashable, Sendable {
    static var names: [String] { get }
    /// As many as there are names, in their order.
    var values: [String] { get }
}

extension MetricLabels {
    /// As swift-metrics has them.
    var dimensions: [(String, String)] { Array(zip(Self.names, values)) }
}

/// The only label of a metric, if its values are the cases of an enumeration.
public protocol MetricLabel: MetricLabels, RawRepresentable where RawValue == String {
    static var labelName: String { get }
}

extension MetricLabel {
    public static var names: [String] { [labelName] }
    public var values: [String] { [rawValue] }
}

/// Labels of a metric with a single series: none.
public struct NoLabels: MetricLabels {
    public static let names: [String] = []
    public let values: [String] = []

    public init() {}
}
