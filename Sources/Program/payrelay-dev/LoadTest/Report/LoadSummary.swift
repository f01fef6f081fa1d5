import CommandLineParts
import Observability

extension LoadReport {
    /// The report as text for a terminal.
    var summary: String {
        var lines = section("run", settings.rows + machine.rows)
        lines += section("latency, from when each payment was due", latencyRows)
        lines += section("payments", paymentRows)
        lines += section("by gateway", gatewayRows)
        if !errors.isEmpty { lines += section("errors", errors.map { ($0.name, $0.count.text) }) }
        if !usage.isEmpty { lines += section("the relay's process", usageRows) }
        if saturation != nil { lines += section("highest rate", saturationRows) }
        lines += section("books", booksRows)
        lines += caveats.map { "note: \($0)" }
        lines.append(failures.isEmpty ? "result: success" : "result: failure: " + failures.joined(separator: "; "))
        return lines.joined(separator: "\n")
    }

    var latencyRows: [(String, String)] {
        Self.percentiles.map { ($0.name, recording.latency.value(atPercentile: $0.percentile).text) }
    }

    var gatewayRows: [(String, String)] {
        shares.map { share in
            let percentiles = [("p50", 50.0), ("p99", 99)]
                .map { "\($0) \(share.latency.value(atPercentile: $1).text)" }
            return (
                share.name,
                "\(share.successes.text) of \(share.payments.text) payments succeeded, "
                    + percentiles.joined(separator: ", ")
            )
        }
    }

    var paymentRows: [(String, String)] {
        let lateness = recording.lateness
        return outcomes.map { ($0.name, $0.count.text) } + [
            ("throughput", "\(recording.throughput.text(decimals: 1)) successes/s"),
            (
                "left late",
                "p50 \(lateness.value(atPercentile: 50).text), p99 \(lateness.value(atPercentile: 99).text), max \(lateness.longest.text)"
            ),
            ("left out", recording.leftOut.text),
            ("own cost", "\(timeForEach(ownTime)) of CPU for each payment, in this process"),
        ]
    }

    /// Returns this time divided by the number of payments that were sent.
    private func timeForEach(_ time: Duration) -> String {
        recording.latency.count > 0 ? (time / recording.latency.count).text : "nothing"
    }

    var usageRows: [(String, String)] {
        guard let first = usage.first, let last = usage.last else { return [] }
        let time = last.cpuTime - first.cpuTime
        let largest = usage.map(\.residentBytes).max() ?? 0
        return [
            ("CPU", "\(timeForEach(time)) for each payment"),
            (
                "memory",
                "\(first.residentBytes.mebibytes) at the beginning, \(last.residentBytes.mebibytes) at the end, \(largest.mebibytes) at most"
            ),
            (
                "descriptors",
                "\(first.descriptors) at the beginning, \(last.descriptors) at the end, \(usage.map(\.descriptors).max() ?? 0) at most"
            ),
        ]
    }

    var saturationRows: [(String, String)] {
        guard let saturation else { return [] }
        let best =
            saturation.best.map { "\($0.text(decimals: 0)) payments/s, shown above" }
            ?? "none was carried; the last is shown above"
        return [("p99 within", saturation.p99Limit.text), ("highest rate", best)]
            + saturation.steps.enumerated().map { ("step \($0 + 1)", $1.description) }
    }

    var booksRows: [(String, String)] {
        guard let audit else { return [("not read", "the target's gateway has no books to read")] }
        let sums = ("payments", audit.payments.text) as (String, String)
        let charges = zip(settings.gateways, audits).map { name, audit in
            ("charges", "\(audit.charges.text) in the sandbox's books of \(name)")
        }
        guard !audit.isEqual else { return [sums] + charges + [("equal", "nothing lost, nothing twice")] }
        let shown = audit.differences.prefix(10).map { ("differs", $0.description) }
        let rest = audit.differences.count - shown.count
        return [sums] + charges + shown + (rest > 0 ? [("differs", "and \(rest.text) more")] : [])
    }

    private func section(_ title: String, _ rows: [(String, String)]) -> [String] {
        var table = TextTable(indentation: 2, widths: [12])
        for (name, value) in rows { table.add(name, value) }
        return [title] + table.lines + [""]
    }
}

extension Int {
    /// The bytes in MiB, with the unit.
    var mebibytes: String { "\((Double(self) / 1_048_576).text(decimals: 1)) MiB" }
}

extension LoadRecording {
    /// The state of the run on one line.
    var progressLine: String {
        let failures = ended - successes
        let percentiles = [("p50", 50.0), ("p99", 99)].map { "\($0.0) \(latency.value(atPercentile: $0.1).text)" }
        return "\(ended.text) of \(schedule.count.text) payments ended, \(inFlight) in flight, "
            + percentiles.joined(separator: ", ") + ", \(failures.text) failed"
    }
}
