extension LoadReport {
    /// One page with everything in it: it loads nothing and runs nothing.
    public var html: String {
        let verdict = faults.isEmpty ? "success" : "failure"
        return """
            <!DOCTYPE html>
            <html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark"><title>payrelay load test</title>
            <style>\(Self.styleSheet)</style></head><body><main>
            <header><h1>payrelay load test</h1><span class="verdict \(verdict)">\(verdict)</span>
            <p>\(finishedAt.escapedForHTML) · \(settings.target.escapedForHTML)</p></header>
            \(notes)
            <section class="cards">\(cards)</section>
            \(charts.map(\.html).joined(separator: "\n"))
            <section class="columns">
            \(tally("Outcomes", outcomes))
            \(tally("Errors by kind", errors))
            </section>
            <section class="columns">
            \(saturation == nil ? "" : table("Highest rate", saturationRows))
            \(table("Books", booksRows))
            \(table("Payments", paymentRows))
            \(table("Settings", settings.rows))
            \(table("Machine", machine.rows + usageRows))
            </section>
            <footer>Latency counts from when a payment should have left, not from when it did: a stall shows in all that was due meanwhile.</footer>
            </main></body></html>
            """
    }

    private var notes: String {
        (faults.map { ("fault", $0) } + caveats.map { ("caveat", $0) })
            .map { "<p class=\"note \($0)\">\($1.escapedForHTML)</p>" }.joined(separator: "\n")
    }

    private var cards: String {
        // Rounded down: 100 % are all.
        let share = Double(recording.successes * 10_000 / recording.schedule.count) / 100
        let figures =
            latencyRows.filter { $0.0 != "p90" } + [
                ("successes", "\(share.text(decimals: share == 100 ? 0 : 2)) %"),
                ("throughput", "\(recording.throughput.text(decimals: 0))/s"),
            ]
        return figures.map { "<div class=\"card\"><b>\($1)</b><span>\($0)</span></div>" }.joined()
    }

    private func table(_ title: String, _ rows: [(String, String)]) -> String {
        let lines = rows.map { "<tr><th>\($0.escapedForHTML)</th><td>\($1.escapedForHTML)</td></tr>" }
        return "<div><h2>\(title)</h2><table>\(lines.joined(separator: "\n"))</table></div>"
    }

    /// Names with their counts, as bars against the largest.
    private func tally(_ title: String, _ entries: [(name: String, count: Int, isSuccess: Bool)]) -> String {
        let largest = Double(entries.map(\.count).max() ?? 1)
        let rows = entries.map { entry in
            let width = (Double(entry.count) / largest * 100).text(decimals: 1)
            return """
                <tr><th>\(entry.name.escapedForHTML)</th><td class="count">\(entry.count.text)</td>
                <td class="bar"><i class="\(entry.isSuccess ? "good" : "bad")" style="width:\(width)%"></i></td></tr>
                """
        }
        let body = rows.isEmpty ? "<p class=\"none\">none</p>" : "<table>\(rows.joined(separator: "\n"))</table>"
        return "<div><h2>\(title)</h2>\(body)</div>"
    }
}
