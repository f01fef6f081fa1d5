import CommandLineParts
import PayrelayPrimitives

/// The findings as text for people, as JSON and as CSV. They contain no customer's data: a malformed line is
/// identified only by its number.
extension Difference {
    /// Returns the difference as JSON.
    ///
    /// - Parameter outcome: the result of a query to the gateway about the payment; `nil` if there was no query.
    func json(outcome: String?) -> JSON {
        var json: JSONObject = [:]
        json["difference"] = .string(kind.rawValue)
        json["merchant_reference"] = .string(merchantReference)
        json["line"] = line.map { JSON($0) }
        json["subject"] = .string(subject.rawValue)
        json["reported_state"] = reportedState.map { .string($0) }
        json["recorded_state"] = recordedState.map { .string($0) }
        json["reported_amount"] = reportedAmount.map { JSON($0) }
        json["recorded_amount"] = recordedAmount.map { JSON($0) }
        json["reported_currency"] = reportedCurrency.map { .string($0) }
        json["recorded_currency"] = recordedCurrency.map { .string($0) }
        json["reason"] = reason.map { .string($0) }
        json["adopted"] = outcome.map { .string($0) }
        return .object(json)
    }

    static let csvHeader = CSVRecord.text([
        "difference", "merchant_reference", "line", "subject", "reported_state", "recorded_state", "reported_amount",
        "recorded_amount", "reported_currency", "recorded_currency", "adopted", "reason",
    ])

    /// Returns a CSV record without its line break.
    func csv(outcome: String?) -> String {
        CSVRecord.text([
            kind.rawValue, merchantReference, line.map(String.init), subject.rawValue, reportedState, recordedState,
            reportedAmount.map(String.init), recordedAmount.map(String.init), reportedCurrency, recordedCurrency,
            outcome, reason,
        ])
    }

    /// The columns of ``text(outcome:)``.
    static let textHeader = textLine(["DIFFERENCE", "REFERENCE", "LINE", "OF", "REPORT", "JOURNAL"])

    /// Returns a line of a table.
    func text(outcome: String?) -> String {
        let line = textLine([
            kind.rawValue, merchantReference, line.map(String.init) ?? "-", subject.rawValue,
            side(reportedState, reportedAmount, reportedCurrency),
            side(recordedState, recordedAmount, recordedCurrency),
        ])
        return ([line, reason] + [outcome.map { "now: \($0)" }]).compactMap { $0 }.joined(separator: "  ")
    }

    private func side(_ state: String?, _ amount: Int?, _ currency: String?) -> String {
        let words = [amount.map(String.init), amount == nil ? nil : currency, state].compactMap { $0 }
        return words.isEmpty ? "-" : words.joined(separator: " ")
    }
}

/// Malformed lines of a report, in the same forms as ``Difference``.
struct MalformedLinesText: Sendable {
    private let lines: ClosedRange<Int>
    private let reason: String

    init(lines: ClosedRange<Int>, reason: String) {
        self.lines = lines
        self.reason = reason
    }

    var json: JSON {
        [
            "difference": "malformed", "line": JSON(lines.lowerBound), "last_line": JSON(lines.upperBound),
            "reason": .string(reason),
        ]
    }

    var csv: String {
        CSVRecord.text(["malformed", nil, String(lines.lowerBound)] + Array(repeating: nil, count: 8) + [text])
    }

    var text: String {
        let place = lines.count == 1 ? "line \(lines.lowerBound)" : "lines \(lines.lowerBound) to \(lines.upperBound)"
        return "\(place) cannot be read: \(reason)"
    }
}

private func textLine(_ cells: [String]) -> String { TextTable.line(cells, widths: [21, 22, 5, 6, 28]) }
