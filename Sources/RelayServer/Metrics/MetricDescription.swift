/// What is said of a metric before its values.
struct MetricDescription: Hashable, Sendable {
    enum Kind: String, Sendable {
        case counter, gauge, histogram
    }

    let name: String
    let kind: Kind
    /// One line.
    let help: String
    /// The names of its labels, the same for each of its series.
    let labels: [String]
}
