import FortAPI
import Logging
import Observability
import PayrelayPrimitives

/// The metrics of FORT. docs/metrics.md explains each of them.
struct FortMetrics: Sendable {
    private let exchanges: HistogramFamily<ExchangeLabels>
    private let answers: CounterFamily<AnswerLabels>
    private let limitViolations: CounterFamily<FieldLabels>
    private let breakerOpen: GaugeFamily<NoLabels>

    init(in registry: MetricsRegistry) {
        exchanges = HistogramFamily(
            "payrelay_fort_exchange_duration_seconds", "Exchanges with FORT, from the request to the verified answer.",
            of: ExchangeLabels.self, bounds: MetricBounds.ofExchanges, in: registry)
        answers = CounterFamily(
            "payrelay_fort_answers_total", "Verified answers of FORT, by the class of their code.",
            of: AnswerLabels.self, in: registry)
        limitViolations = CounterFamily(
            "payrelay_fort_token_limit_violations_total",
            "Parts of Apple's tokens that were sent to FORT beyond its documented limits.", of: FieldLabels.self,
            in: registry)
        breakerOpen = GaugeFamily(
            "payrelay_fort_circuit_breaker_open",
            "1 while the circuit breaker is open: nothing is sent to FORT, and payments are answered with 503.",
            of: NoLabels.self, in: registry)
        breakerOpen.set(0, NoLabels())
    }

    func circuitBreakerChanged(isClosed: Bool) {
        breakerOpen.set(isClosed ? 0 : 1, NoLabels())
    }

    func observe(_ exchange: FortExchange) {
        exchanges.record(
            exchange.duration, ExchangeLabels(command: exchange.command, result: exchange.outcome.word))
        if case .answered(.success(let answer)) = exchange.outcome {
            answers.count(AnswerLabels(command: exchange.command, responseClass: answer.class))
        }
    }

    /// Counts and logs the parts of a token that exceed FORT's documented limits. The log helps if FORT then
    /// declines without a reason.
    func limitViolations(of merchantReference: String, _ limitViolations: [ValidationError], logger: Logger) {
        for limitViolation in limitViolations { self.limitViolations.count(FieldLabels(field: limitViolation.field)) }
        logger.warning(
            "token exceeds FORT's documented limits",
            metadata: [
                "merchant_reference": "\(merchantReference)",
                "limit_violations": "\(limitViolations.map(\.description).joined(separator: "; "))",
            ])
    }
}

extension Outcome<Result<FortAnswer, FortAnswerError>> {
    fileprivate var word: String {
        switch self {
        case .answered(.success): "answered"
        case .answered(.failure): "unverified"
        case .notSent: "not_sent"
        case .unknown: "no_answer"
        }
    }
}

struct ExchangeLabels: MetricLabels {
    static let names = ["command", "result"]
    let command: FortCommand
    let result: String
    var values: [String] { [command.rawValue, result] }
}

struct AnswerLabels: MetricLabels {
    static let names = ["command", "response_class"]
    let command: FortCommand
    let responseClass: FortCode.Class
    var values: [String] { [command.rawValue, responseClass.rawValue] }
}

struct FieldLabels: MetricLabels {
    static let names = ["field"]
    let field: String
    var values: [String] { [field] }
}
