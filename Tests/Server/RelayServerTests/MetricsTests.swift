import HTTPTypes
import Observability
import Testing

@testable import RelayServer

@Suite struct MetricsTests {
    @Test func clientsCannotAddSeries() async throws {
        let metrics = RelayMetrics()
        for number in 0..<50 {
            let method = try #require(HTTPRequest.Method("M\(number)"))
            _ = try await ServerBench.answer(metrics: metrics, of: [], to: method, "/\(number)")
            _ = try await ServerBench.answer(metrics: metrics, of: [], to: .get, "/\(number)?\(number)")
        }
        #expect(
            PrometheusText(metrics.registry.families).text.split(separator: "\n").filter {
                $0.hasPrefix("http_server_request_duration_seconds_count")
            } == [
                #"http_server_request_duration_seconds_count{http_request_method="GET",http_response_status_code="404",http_route="NotFound",url_scheme="http"} 50"#,
                #"http_server_request_duration_seconds_count{http_request_method="_OTHER",http_response_status_code="501",http_route="NotFound",url_scheme="http"} 50"#,
            ])
    }
}
