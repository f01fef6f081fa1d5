import Foundation

/// A row of the table: the measured value, the value it is compared with, and their ratio.
struct Row {
    var what: String
    var measured: String
    var beside: String
    var ratio: String
    /// The requirement and whether it is met, or an empty text if there is no requirement.
    var wanted: String

    /// - Parameters:
    ///   - limit: The largest ratio that meets the requirement.
    init(_ what: String, _ measured: String, beside: String = "", ratio: Double? = nil, atMost limit: Double? = nil) {
        self.what = what
        self.measured = measured
        self.beside = beside
        self.ratio = ratio.map { String(format: "%.2f", $0) } ?? ""
        wanted = ""
        if let limit, let ratio { wanted = Self.verdict(ratio <= limit, "≤ \(limit.formatted())") }
    }

    func wants(_ isSo: Bool, _ what: String) -> Row {
        var row = self
        row.wanted = Self.verdict(isSo, what)
        return row
    }

    private static func verdict(_ isSo: Bool, _ what: String) -> String { "\(what): \(isSo ? "yes" : "no")" }

    static let head = "| | measured | beside | ratio | wanted |\n|---|---|---|---|---|"

    var text: String { "| \(what) | \(measured) | \(beside) | \(ratio) | \(wanted) |" }
}

extension Double {
    /// The duration in microseconds, from a value in seconds.
    var microseconds: String { String(format: "%.0f µs", self * 1e6) }
    var perSecond: String { String(format: "%.0f/s", self) }
    /// The duration in milliseconds, from a value in milliseconds.
    var milliseconds: String { String(format: "%.2f ms", self) }
}

extension Int {
    /// The size in mebibytes, from a value in bytes.
    var mebibytes: String { String(format: "%.1f MiB", Double(self) / 1_048_576) }
}
