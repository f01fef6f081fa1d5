import Primitives
import FortAPI
import HTTPTypes
import Logging
import PaymentRelay
import Testing

@testable import RelayServer

@Suite struct MetricsTests {
    private struct Word: MetricLabels {
        static let names = ["word"]
        let word: String
        var values: [String] { [word] }
    }

    private func lines(_ family: some MetricFamily) -> [Substring] {
        PrometheusText([family]).text.split(separator: "\n")
    }

    @Test func aBucketHoldsItsBoundAndAllBelow() {
        let family = HistogramFamily("x_seconds", "Time.", of: NoLabels.self, bounds: [0.25, 1])
        for duration in [Duration.milliseconds(250), .milliseconds(251), .seconds(1), .seconds(2)] {
            family.record(duration, NoLabels())
        }
        #expect(
            lines(family) == [
                "# HELP x_seconds Time.", "# TYPE x_seconds histogram",
                #"x_seconds_bucket{le="0.25"} 1"#, #"x_seconds_bucket{le="1"} 3"#, #"x_seconds_bucket{le="+Inf"} 4"#,
                "x_seconds_sum 3.501", "x_seconds_count 4",
            ])
    }

    @Test func noValueOfALabelEndsItsLine() {
        let family = CounterFamily("x_total", "A\nB", of: Word.self)
        family.count(Word(word: "a\"} 1\ny_total 2\\"))
        #expect(
            lines(family) == [
                #"# HELP x_total A\nB"#, "# TYPE x_total counter", #"x_total{word="a\"} 1\ny_total 2\\"} 1"#,
            ])
    }

    @Test func aKnownSeriesStandsAtZeroFromTheStart() {
        let family = CounterFamily("x_total", "A.", of: Word.self, known: [Word(word: "b"), Word(word: "a")])
        #expect(lines(family).dropFirst(2) == [#"x_total{word="a"} 0"#, #"x_total{word="b"} 0"#])
    }

    @Test func nothingIsLostWhenManyCountAtOnce() async {
        let (counter, histogram) = (
            CounterFamily("x_total", "A.", of: Word.self), HistogramFamily("x_seconds", "A.", of: Word.self)
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
        #expect(lines(counter).suffix(2) == [#"x_total{word="0"} 20000"#, #"x_total{word="1"} 20000"#])
        #expect(lines(histogram).suffix(2) == [#"x_seconds_sum{word="a"} 4"#, #"x_seconds_count{word="a"} 40000"#])
    }

    @Test func callersCannotMakeSeriesUp() async throws {
        let metrics = RelayMetrics()
        for number in 0..<50 {
            let method = try #require(HTTPRequest.Method("M\(number)"))
            _ = try await ServerBench.answer(metrics: metrics, of: [], to: method, "/\(number)")
            _ = try await ServerBench.answer(metrics: metrics, of: [], to: .get, "/\(number)?\(number)")
        }
        #expect(
            lines(metrics.requests).filter { $0.contains("_count") } == [
                #"http_server_request_duration_seconds_count{http_request_method="GET",http_response_status_code="404",http_route="NotFound",url_scheme="http"} 50"#,
                #"http_server_request_duration_seconds_count{http_request_method="_OTHER",http_response_status_code="501",http_route="NotFound",url_scheme="http"} 50"#,
            ])
    }

    @Test func aTokenBeyondFortsLimitsIsCountedByItsPart() {
        let metrics = RelayMetrics()
        metrics.limitViolations(
            of: "A", [ValidationError(field: "apple_data", detail: "must be at most 500 characters")],
            logger: .init(label: "t"))
        #expect(
            lines(metrics.limitViolations).last == #"payrelay_fort_token_limit_violations_total{field="apple_data"} 1"#)
    }
}
