import Observability

extension LoadReport {
    /// The report as a self-contained HTML page, which loads nothing and runs no script.
    ///
    /// It is written in Swift and not with a template engine, because most of the page is SVG and table rows,
    /// which a template would take as text anyway. Texts from outside are escaped with `escapedForHTML`.
    var html: String {
        let verdict = failures.isEmpty ? "success" : "failure"
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
            \(table("By gateway", gatewayRows))
            \(table("Settings", settings.rows))
            \(table("Machine", machine.rows + usageRows))
            </section>
            <footer>Latency counts from when a payment was due, not from when it was sent: a stall shows in every payment that was due meanwhile.</footer>
            </main></body></html>
            """
    }

    private var notes: String {
        (failures.map { ("fault", $0) } + caveats.map { ("caveat", $0) })
            .map { "<p class=\"note \($0)\">\($1.escapedForHTML)</p>" }.joined(separator: "\n")
    }

    private var cards: String {
        // Rounded down, so that 100 % means all payments.
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

    /// Returns names with their counts, as bars relative to the largest count.
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

extension LoadReport {
    /// The styles in addition to those of all pages.
    static let styleSheet =
        String(decoding: PageStyle.bytes, as: UTF8.self) + """
            body { margin: 0; font: 15px/1.5 system-ui, sans-serif; }
            main { max-width: 860px; margin: 0 auto; padding: 32px 20px 48px; }
            header { display: flex; flex-wrap: wrap; align-items: center; gap: 0 14px; margin-bottom: 20px; }
            h1 { font-size: 24px; margin: 0; letter-spacing: -.01em; }
            h2 { font-size: 15px; margin: 0 0 8px; }
            header p { flex-basis: 100%; margin: 2px 0 0; color: var(--quiet); overflow-wrap: anywhere; }
            .verdict { color: var(--card); border-radius: 99px; padding: 1px 12px; font-size: 13px; font-weight: 600; }
            .verdict.success { background: var(--good); } .verdict.failure { background: var(--bad); }
            .note { margin: 0 0 10px; padding: 10px 14px; background: var(--card); border-left: 4px solid var(--open); }
            .note.fault { border-color: var(--bad); }
            .cards { display: grid; grid-template-columns: repeat(auto-fit, minmax(105px, 1fr)); gap: 10px; margin: 0 0 16px; }
            .card, figure, .columns > div { background: var(--card); border: 1px solid var(--rule); border-radius: 10px; }
            .card { padding: 10px 12px; } .card b { display: block; font-size: 17px; white-space: nowrap; font-variant-numeric: tabular-nums; }
            .card span { color: var(--quiet); font-size: 13px; }
            figure { margin: 0 0 16px; padding: 14px 16px 8px; }
            .columns { display: grid; grid-template-columns: repeat(auto-fit, minmax(300px, 1fr)); gap: 16px; margin-bottom: 16px; }
            .columns > div { padding: 14px 16px; }
            table { width: 100%; border-collapse: collapse; font-size: 14px; }
            th, td { text-align: left; vertical-align: top; padding: 4px 8px 4px 0; border-top: 1px solid var(--rule);
              overflow-wrap: anywhere; }
            tr:first-child > * { border-top: 0; }
            th { font-weight: 400; color: var(--quiet); width: 34%; }
            .count { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
            .bar { width: 40%; padding-right: 0; } .bar i { display: block; height: 10px; margin-top: 6px; border-radius: 3px; }
            .good { background: var(--good); } .bad { background: var(--bad); }
            .none { margin: 0; color: var(--quiet); }
            footer { color: var(--quiet); font-size: 13px; }
            @media print { body { background: #fff; } figure, .columns > div { break-inside: avoid; } }
            """
}
