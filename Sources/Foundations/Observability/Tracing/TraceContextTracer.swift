import Synchronization
public import Tracing

/// The tracer of the process. It passes the trace context of `traceparent` on through every span (W3C Trace
/// Context), and gives finished spans of sampled traces to an exporter, if there is one.
///
/// A trace that begins here is sampled at random. A trace that a client began is sampled if the client says so,
/// so that a trace is recorded completely or not at all. Without an exporter no span is kept, but the context is
/// still passed on.
public struct TraceContextTracer: Tracer {
    private let sampledPercent: Int
    private let export: (@Sendable (FinishedSpan) -> Void)?

    /// - Parameters:
    ///   - sampledPercent: the share of the traces that begin here, 0 to 100.
    ///   - export: receives each finished span, on the thread that ends it; `nil` if spans are not exported.
    public init(sampledPercent: Int = 100, export: (@Sendable (FinishedSpan) -> Void)? = nil) {
        self.sampledPercent = sampledPercent
        self.export = export
    }

    public func startSpan<Instant: TracerInstant>(
        _ operationName: String, context: @autoclosure () -> ServiceContext, ofKind kind: SpanKind,
        at instant: @autoclosure () -> Instant, function: String, file fileID: String, line: UInt
    ) -> TraceSpan {
        var context = context()
        let parent = context.traceContext
        // A span that is not exported needs no identifier of its own, except the span of a request, whose
        // identifier is in the response and in the log.
        if let parent, kind != .server, export == nil || !parent.isSampled {
            return TraceSpan(context: context, recording: nil)
        }
        let own = parent?.child ?? TraceContext(isSampled: export != nil && isSampledByChance)
        context.traceContext = own
        guard let export, own.isSampled else { return TraceSpan(context: context, recording: nil) }
        let span = FinishedSpan(
            context: own, parentSpanIdentifier: parent?.spanIdentifier, operationName: operationName, kind: kind,
            start: instant().nanosecondsSinceEpoch)
        return TraceSpan(context: context, recording: TraceSpan.Recording(span, export: export))
    }

    private var isSampledByChance: Bool { sampledPercent >= 100 || Int.random(in: 0..<100) < sampledPercent }

    /// Reads the field of W3C Trace Context. If `traceparent` is not valid, a new trace begins.
    public func extract<Carrier, Extract: Extractor>(
        _ carrier: Carrier, into context: inout ServiceContext, using extractor: Extract
    ) where Extract.Carrier == Carrier {
        context.traceContext = extractor.extract(key: Self.field, from: carrier).flatMap { TraceContext($0) }
    }

    public func inject<Carrier, Inject: Injector>(
        _ context: ServiceContext, into carrier: inout Carrier, using injector: Inject
    ) where Inject.Carrier == Carrier {
        guard let own = context.traceContext else { return }
        injector.inject(own.text, forKey: Self.field, into: &carrier)
    }

    /// Does nothing: exporters send in the background, and flush when they are stopped.
    public func forceFlush() {}

    private static let field = "traceparent"
}

/// A span that has ended, with the data that an exporter needs.
public struct FinishedSpan: Sendable {
    public let context: TraceContext
    public let parentSpanIdentifier: String?
    public internal(set) var operationName: String
    public let kind: SpanKind
    /// The start, in nanoseconds since 1970.
    public let start: UInt64
    /// The end, in nanoseconds since 1970.
    public internal(set) var end: UInt64 = 0
    public internal(set) var attributes: SpanAttributes = [:]
    public internal(set) var status: SpanStatus?
}

/// A span of ``TraceContextTracer``.
public struct TraceSpan: Span {
    fileprivate final class Recording: Sendable {
        private let state: Mutex<FinishedSpan?>
        private let export: @Sendable (FinishedSpan) -> Void

        init(_ span: FinishedSpan, export: @escaping @Sendable (FinishedSpan) -> Void) {
            state = Mutex(span)
            self.export = export
        }

        /// The span; `nil` after it has ended.
        var span: FinishedSpan? { state.withLock { $0 } }

        func change(_ change: (inout FinishedSpan) -> Void) {
            state.withLock { span in
                guard var changed = span else { return }
                change(&changed)
                span = changed
            }
        }

        /// Ends the span. Only the first call has an effect.
        func end(at moment: UInt64) {
            let span = state.withLock { span -> FinishedSpan? in
                defer { span = nil }
                return span
            }
            guard var span else { return }
            span.end = moment
            export(span)
        }
    }

    public let context: ServiceContext
    /// `nil` if the trace is not recorded.
    fileprivate let recording: Recording?

    public var isRecording: Bool { recording != nil }

    public var operationName: String {
        get { recording?.span?.operationName ?? "" }
        nonmutating set { recording?.change { $0.operationName = newValue } }
    }

    public var attributes: SpanAttributes {
        get { recording?.span?.attributes ?? [:] }
        nonmutating set { recording?.change { $0.attributes = newValue } }
    }

    public func setStatus(_ status: SpanStatus) { recording?.change { $0.status = status } }

    /// Does nothing: events are in the log.
    public func addEvent(_ event: SpanEvent) {}

    /// Marks the span as failed. The text of the error is not exported, because it may contain data from a
    /// client.
    public func recordError<Instant: TracerInstant>(
        _ error: any Error, attributes: SpanAttributes, at instant: @autoclosure () -> Instant
    ) {
        setStatus(SpanStatus(code: .error))
    }

    public func addLink(_ link: SpanLink) {}

    public func end<Instant: TracerInstant>(at instant: @autoclosure () -> Instant) {
        recording?.end(at: instant().nanosecondsSinceEpoch)
    }
}
