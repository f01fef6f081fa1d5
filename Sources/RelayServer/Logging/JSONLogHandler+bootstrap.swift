public import Logging

extension JSONLogHandler {
    /// Makes this the log of the whole process; once only. What is logged for a request has its trace.
    ///
    /// - Returns: the service's own logger.
    public static func bootstrap(level: Logger.Level) -> Logger {
        LoggingSystem.bootstrap(
            { label, provider in
                var handler = JSONLogHandler(label: label, level: level)
                handler.metadataProvider = provider
                return handler
            }, metadataProvider: trace)
        return Logger(label: "payrelay")
    }

    /// The request that is being worked on, as OpenTelemetry names it in logs.
    static let trace = Logger.MetadataProvider {
        TraceParent.current.map { ["trace_id": "\($0.traceIdentifier)", "span_id": "\($0.parentIdentifier)"] } ?? [:]
    }
}
