import Foundation

/// A row of the table: what was measured, what it is held against, and their ratio.
struct Row {
    var what: String
    var measured: String
    var beside: String
    var ratio: String
    /// What is wanted, and whether it is so; empty where nothing is.
    var wanted: String

    /// - Parameters:
    ///   - limit: what the ratio is to be at most.
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
    /// In microseconds, from seconds.
    var microseconds: String { String(format: "%.0f µs", self * 1e6) }
    var perSecond: String { String(format: "%.0f/s", self) }
    /// From milliseconds.
    var milliseconds: String { String(format: "%.2f ms", self) }
}

extension Int {
    /// In mebibytes, from bytes.
    var mebibytes: String { String(format: "%.1f MiB", Double(self) / 1_048_576) }
}
