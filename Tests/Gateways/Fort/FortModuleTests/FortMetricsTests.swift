import Logging
import Observability
import PayrelayPrimitives
import Testing

@testable import FortModule

@Suite struct FortMetricsTests {
    @Test func countsATokenBeyondFortsLimitsByField() {
        let registry = MetricsRegistry()
        let metrics = FortMetrics(in: registry)
        metrics.limitViolations(
            of: "A", [ValidationError(field: "apple_data", detail: "must be at most 500 characters")],
            logger: .init(label: "t"))
        #expect(
            PrometheusText(registry.families).text.contains(
                #"payrelay_fort_token_limit_violations_total{field="apple_data"} 1"# + "\n"))
    }

    @Test("The circuit breaker is closed at the start, and shows when it is open")
    func showsTheCircuitBreaker() {
        let registry = MetricsRegistry()
        let metrics = FortMetrics(in: registry)
        func isOpen(_ value: Int) -> Bool {
            PrometheusText(registry.families).text.contains("\npayrelay_fort_circuit_breaker_open \(value)\n")
        }
        #expect(isOpen(0))
        metrics.circuitBreakerChanged(isClosed: false)
        #expect(isOpen(1))
        metrics.circuitBreakerChanged(isClosed: true)
        #expect(isOpen(0))
    }
}
