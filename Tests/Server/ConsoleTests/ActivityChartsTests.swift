import AccessControl
import CoreMetrics
import Foundation
import HTTPTypes
import Observability
import RelayServer
import Testing

@testable import Console

/// The charts of the last hours on the health page.
@Suite struct ActivityChartsTests {
    private func durations(_ counts: [Int: Int]) -> [Int] {
        (0...PaymentActivity.bounds.count).map { counts[$0] ?? 0 }
    }

    @Test("a percentile lies in its bucket, beyond the last bound at that, and nowhere of nothing")
    func percentiles() throws {
        let bounds = PaymentActivity.bounds
        #expect(ActivityCharts.duration(atPercentile: 50, of: durations([:])) == nil)
        for (index, bound) in bounds.enumerated() {
            let found = try #require(ActivityCharts.duration(atPercentile: 99, of: durations([index: 7])))
            #expect(found <= bound && found > (index == 0 ? 0 : bounds[index - 1]))
        }
        #expect(ActivityCharts.duration(atPercentile: 50, of: durations([bounds.count: 3])) == bounds.last)
        let mixed = durations([0: 98, 5: 2])
        #expect(try #require(ActivityCharts.duration(atPercentile: 50, of: mixed)) <= bounds[0])
        #expect(try #require(ActivityCharts.duration(atPercentile: 99, of: mixed)) > bounds[4])
    }

    @Test("the newest minutes are kept, as many as are shown, each with its changes")
    func bounded() throws {
        let (metrics, start) = (RelayMetrics(), Date(timeIntervalSince1970: 1_800_000_000))
        let activity = PaymentActivity(metrics)
        let counter = metrics.registry.makeCounter(
            label: "payrelay_payments_total", dimensions: [("outcome", "captured")])
        for number in 1...(PaymentActivity.minutesKept + 40) {
            counter.increment(by: Int64(number))
            activity.sample(at: start + Double(60 * number))
        }
        #expect(activity.minutes.count == PaymentActivity.minutesKept)
        #expect(activity.minutes.map(\.payments) == Array(41...(PaymentActivity.minutesKept + 40)))
        #expect(activity.minutes.last?.end == start + Double(60 * (PaymentActivity.minutesKept + 40)))
    }

    @Test("the page has three charts with a text for who does not see them, nothing inline, and the numbers as a table")
    func page() async throws {
        let bench = try ConsoleBench()
        let browser = try await bench.browser(.viewer)
        #expect(try await browser.get("/console/health").text.contains("there is none yet"))
        for number in 0..<3 {
            for (outcome, times) in [("captured", 4), ("declined", 1), ("token_refused", number)] {
                bench.metrics.registry.makeCounter(
                    label: "payrelay_payments_total", dimensions: [("outcome", outcome)]
                ).increment(by: Int64(times))
            }
            bench.activity.sample(at: Date() - Double(120 - 60 * number))
        }
        let text = try await browser.get("/console/health").text
        #expect(text.matches(of: /<svg viewBox="[^"]*" role="img" aria-label="[^"]+">/).count == 3)
        #expect(text.contains("12 paid, 3 declined, 0 uncertain, 3 refused or repeated"))
        #expect(text.contains("7 in the last minute, 7 in the busiest"))
        #expect(text.contains(#"data-label="paid""#))
        // The form's token is random.
        let shown = text.replacing(/name="form_token" value="[^"]*"/, with: "")
        #expect(!shown.contains(" style=") && !shown.contains("NaN") && !shown.contains("inf"))
    }
}
