import CoreMetrics
public import Logging
public import Observability
import Tracing

/// Settings of the export of traces.
public struct TracingSettings: Sendable, Equatable {
    /// The collector's URL for traces, by OTLP over HTTP.
    public var url: String
    /// Percentage of the traces beginning in this process that are sampled, 0 to 100.
    public var sampledPercent: Int

    public init(url: String, sampledPercent: Int = 100) {
        self.url = url
        self.sampledPercent = sampledPercent
    }
}

/// Telemetry of the process: log, metrics and spans.
public struct Telemetry: Sendable {
    public let logger: Logger
    public let metrics: MetricsRegistry
    /// Exporter of spans; nil if no collector is configured.
    public let spans: SpanExporter?

    /// Sets up swift-log, swift-metrics and swift-distributed-tracing for the process. Must be called only once.
    ///
    /// - Parameter tracing: nil if spans are not exported; the trace context is propagated all the same.
    public static func bootstrap(
        logLevel: Logger.Level, logForm: LogForm = .json, tracing: TracingSettings? = nil
    ) -> Telemetry {
        let logger = LineLogHandler.bootstrap(level: logLevel, form: logForm)
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
