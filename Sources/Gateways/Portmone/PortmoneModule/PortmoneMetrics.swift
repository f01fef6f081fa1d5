import Observability
import PayrelayPrimitives
import PortmoneAPI

/// The metrics of Portmone. docs/metrics.md explains each of them.
struct PortmoneMetrics: Sendable {
    private let exchanges: HistogramFamily<PortmoneExchangeLabels>
    private let alerts: CounterFamily<NoLabels>
    private let breakerOpen: GaugeFamily<NoLabels>

    init(in registry: MetricsRegistry) {
        exchanges = HistogramFamily(
            "payrelay_portmone_exchange_duration_seconds", "Exchanges with Portmone, from the request to the answer.",
            of: PortmoneExchangeLabels.self, bounds: MetricBounds.ofExchanges, in: registry)
        alerts = CounterFamily(
            "payrelay_portmone_orders_charged_several_times_total",
            "Answers in which several bills of one order have money.", of: NoLabels.self, known: [NoLabels()],
            in: registry)
        breakerOpen = GaugeFamily(
            "payrelay_portmone_circuit_breaker_open",
            "1 while the circuit breaker is open: nothing is sent to Portmone, and payments are answered with 503.",
            of: NoLabels.self, in: registry)
        breakerOpen.set(0, NoLabels())
    }

    func circuitBreakerChanged(isClosed: Bool) { breakerOpen.set(isClosed ? 0 : 1, NoLabels()) }

    func observe(_ exchange: PortmoneExchange) {
        exchanges.record(
            exchange.duration, PortmoneExchangeLabels(method: exchange.method, result: exchange.outcome.word))
    }

    func count(_ alert: PortmoneAlert) {
        switch alert {
        case .chargedSeveralTimes: alerts.count(NoLabels())
        }
    }
}

extension Outcome<Result<PortmoneAnswer, PortmoneAnswerError>> {
    fileprivate var word: String {
        switch self {
        case .answered(.success): "answered"
        case .answered(.failure): "unreadable"
        case .notSent: "not_sent"
        case .unknown: "no_answer"
        }
    }
}

struct PortmoneExchangeLabels: MetricLabels {
    static let names = ["method", "result"]
    let method: PortmoneMethod
    let result: String
    var values: [String] { [method.rawValue, result] }
}
