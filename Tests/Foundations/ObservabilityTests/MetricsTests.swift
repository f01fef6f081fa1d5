import CoreMetrics
import Testing

@testable import Observability

@Suite struct MetricsTests {
    private struct Word: MetricLabels {
        static let names = ["word"]
        let word: String
        var values: [String] { [word] }
    }

    private let registry = MetricsRegistry()

    private func lines(_ name: String) -> [Substring] {
        PrometheusText(registry.families.filter { $0.description.name == name }).text.split(separator: "\n")
    }

    @Test func countsABoundIntoItsBucket() {
        let family = HistogramFamily("x_seconds", "Time.", of: NoLabels.self, bounds: [0.25, 1], in: registry)
        for duration in [Duration.milliseconds(250), .milliseconds(251), .seconds(1), .seconds(2)] {
            family.record(duration, NoLabels())
        }
        #expect(
            lines("x_seconds") == [
                "# HELP x_seconds Time.", "# TYPE x_seconds histogram",
                #"x_seconds_bucket{le="0.25"} 1"#, #"x_seconds_bucket{le="1"} 3"#, #"x_seconds_bucket{le="+Inf"} 4"#,
                "x_seconds_sum 3.501", "x_seconds_count 4",
            ])
    }

    @Test func escapesLabelValues() {
        let family = CounterFamily("x_total", "A\nB", of: Word.self, in: registry)
        family.count(Word(word: "a\"} 1\ny_total 2\\"))
        #expect(
            lines("x_total") == [
                #"# HELP x_total A\nB"#, "# TYPE x_total counter", #"x_total{word="a\"} 1\ny_total 2\\"} 1"#,
            ])
    }

    @Test func startsKnownSeriesAtZero() {
        _ = CounterFamily("x_total", "A.", of: Word.self, known: [Word(word: "b"), Word(word: "a")], in: registry)
        #expect(lines("x_total").dropFirst(2) == [#"x_total{word="a"} 0"#, #"x_total{word="b"} 0"#])
    }

    @Test func losesNothingWhenManyCountAtOnce() async {
        let (counter, histogram) = (
            CounterFamily("x_total", "A.", of: Word.self, in: registry),
            HistogramFamily("x_seconds", "A.", of: Word.self, in: registry)
        )
        await withTaskGroup { group in
            for task in 0..<8 {
                group.addTask {
                    for _ in 0..<5_000 {
                        counter.count(Word(word: "\(task % 2)"))
                        histogram.record(.microseconds(100), Word(word: "a"))
                    }
                }
            }
        }
        #expect(lines("x_total").suffix(2) == [#"x_total{word="0"} 20000"#, #"x_total{word="1"} 20000"#])
        #expect(lines("x_seconds").suffix(2) == [#"x_seconds_sum{word="a"} 4"#, #"x_seconds_count{word="a"} 40000"#])
    }

    @Test("A library's swift-metrics are exposed under their own names") func libraryMetrics() {
        let registry = MetricsRegistry()
        Counter(label: "http.requests", dimensions: [("method", "GET")], factory: registry).increment(by: 2)
        Timer(label: "pool.wait", factory: registry).recordMilliseconds(20)
        Gauge(label: "pool.size", factory: registry).record(7)
        let text = PrometheusText(registry.families).text
        #expect(text.contains("# TYPE http_requests_total counter\nhttp_requests_total{method=\"GET\"} 2\n"))
        #expect(
            text.contains(#"pool_wait_seconds_bucket{le="0.025"} 1"#) && text.contains("pool_wait_seconds_sum 0.02"))
        #expect(text.contains("# TYPE pool_size gauge\npool_size 7\n"))
    }

    @Test("The number of series is bounded; further series are counted as one") func seriesAreBounded() {
        let registry = MetricsRegistry(seriesMax: 3)
        for number in 0..<100 {
            Counter(label: "x_total", dimensions: [("id", "\(number)")], factory: registry).increment()
        }
        let lines = PrometheusText(registry.families).text.split(separator: "\n").dropFirst(2)
        #expect(lines.count == 4 && lines.contains(#"x_total{otel_metric_overflow="true"} 97"#))
    }
}
