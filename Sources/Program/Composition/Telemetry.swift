import CoreMetrics
public import Logging
public import Observability
import Tracing

/// Where traces go.
public struct TracingSettings: Sendable, Equatable {
    /// The collector's URL for traces, by OTLP over HTTP.
    public var url: String
    /// Of the traces that begin here, 0 to 100.
    public var sampledPercent: Int

    public init(url: String, sampledPercent: Int = 100) {
        self.url = url
        self.sampledPercent = sampledPercent
    }
}

/// What the process reports about itself: log, metrics and spans.
public struct Telemetry: Sendable {
    public let logger: Logger
    public let metrics: MetricsRegistry
    /// Nil where no collector is configured.
    public let spans: SpanExporter?

    /// Makes it the process's own, for swift-log, swift-metrics and swift-distributed-tracing; once only.
    ///
    /// - Parameter tracing: nil where spans go nowhere; the trace context is carried all the same.
    public static func bootstrap(logLevel: Logger.Level, tracing: TracingSettings? = nil) -> Telemetry {
        let logger = JSONLogHandler.bootstrap(level: logLevel)
        let metrics = MetricsRegistry()
        MetricsSystem.bootstrap(metrics)
        let spans = tracing.map {
            SpanExporter(url: $0.url, version: BuildInfo.current.version, logger: logger)
        }
        var export: (@Sendable (FinishedSpan) -> Void)?
        if let spans { export = { spans.export($0) } }
        InstrumentationSystem.bootstrap(
            TraceContextTracer(sampledPercent: tracing?.sampledPercent ?? 100, export: export))
        return Telemetry(logger: logger, metrics: metrics, spans: spans)
    }
}
