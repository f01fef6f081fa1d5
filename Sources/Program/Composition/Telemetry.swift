import CoreMetrics
public import Logging
public import Observability
import Tracing

/// The settings for exporting traces.
public struct TracingSettings: Sendable, Equatable {
    /// The collector's URL for traces, for OTLP over HTTP.
    public var url: String
    /// The percentage of the traces beginning in this process that are sampled, 0 to 100.
    public var sampledPercent: Int

    public init(url: String, sampledPercent: Int = 100) {
        self.url = url
        self.sampledPercent = sampledPercent
    }
}

/// The telemetry of the process: log, metrics and spans.
public struct Telemetry: Sendable {
    public let logger: Logger
    public let metrics: MetricsRegistry
    /// The exporter of spans; `nil` if no collector is configured.
    public let spans: SpanExporter?

    /// Sets up swift-log, swift-metrics and swift-distributed-tracing for the process. Must be called only once.
    ///
    /// - Parameter tracing: `nil` if spans are not exported. The trace context is propagated in any case.
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
