import Logging
import Observability
import PayrelayPrimitives
import Testing

@testable import FortEndpoints

@Suite struct FortMetricsTests {
    @Test func countsATokenBeyondFortsLimitsByField() {
        let registry = MetricsRegistry()
        let metrics = FortMetrics(in: registry)
        metrics.limitViolations(
            of: "A", [ValidationError(field: "apple_data", detail: "must be at most 500 characters")],
            logger: .init(label: "t"))
        #expect(
            PrometheusText(registry.families).text.hasSuffix(
                #"payrelay_fort_token_limit_violations_total{field="apple_data"} 1"# + "\n"))
    }
}
