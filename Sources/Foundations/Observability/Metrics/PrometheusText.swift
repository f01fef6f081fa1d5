/// Metrics in Prometheus' text format (https://prometheus.io/docs/instrumenting/exposition_formats/, version 0.0.4).
public struct PrometheusText {
    public static let mediaType = "text/plain; version=0.0.4; charset=utf-8"

    public private(set) var text = ""

    public init(_ families: [any MetricFamily]) {
        for family in families { family.write(to: &self) }
    }

    mutating func begin(_ metric: MetricDescription) {
        text += "# HELP \(metric.name) \(metric.help.escaped(quotes: false))\n"
        text += "# TYPE \(metric.name) \(metric.kind.rawValue)\n"
    }

    /// Appends a sample of a series.
    ///
    /// - Parameter bound: the inclusive upper bound of a bucket.
    mutating func sample(
        _ name: String, _ labels: [(String, String)], _ value: Double, upTo bound: Double? = nil
    ) {
        var pairs = labels.map { "\($0)=\"\($1.escaped(quotes: true))\"" }
        if let bound { pairs.append("le=\"\(bound.text)\"") }
        text += pairs.isEmpty ? name : "\(name){\(pairs.joined(separator: ","))}"
        text += " \(value.text)\n"
    }
}

extension Double {
    /// The number as Prometheus reads it. Whole numbers have no decimal point.
    fileprivate var text: String {
        if self == .infinity { return "+Inf" }
        return Int(exactly: self).map { "\($0)" } ?? "\(self)"
    }
}

extension String {
    /// Returns the text with escapes: a line feed would end the line, and a quotation mark would end the value.
    fileprivate func escaped(quotes: Bool) -> String {
        var text = ""
        for scalar in unicodeScalars {
            switch scalar {
            case "\\": text += #"\\"#
            case "\n": text += #"\n"#
            case "\"" where quotes: text += #"\""#
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}
