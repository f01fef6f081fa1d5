import PayrelayPrimitives
import Synchronization
import Testing
import Tracing

@testable import Observability

@Suite struct OTLPTests {
    private func spans(sampledPercent: Int = 100, _ record: (TraceContextTracer) throws -> Void) rethrows
        -> [FinishedSpan]
    {
        let finished = Mutex<[FinishedSpan]>([])
        try record(TraceContextTracer(sampledPercent: sampledPercent) { span in finished.withLock { $0.append(span) } })
        return finished.withLock { $0 }
    }

    /// The field names and encodings are those of opentelemetry-proto's JSON mapping: hex identifiers, and 64-bit numbers as
    /// strings.
    @Test("Spans are written as OTLP has them in JSON") func document() throws {
        let finished = spans { tracer in
            var context = ServiceContext.topLevel
            context.traceContext = TraceContext("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01")
            let span = tracer.startAnySpan("POST /v1/payments", context: context, ofKind: .server)
            span.attributes["http.response.status_code"] = 503
            span.attributes["http.route"] = "/v1/payments"
            span.setStatus(SpanStatus(code: .error))
            span.end()
            span.end()
        }
        let span = try #require(finished.first)
        #expect(finished.count == 1 && span.start <= span.end)
        let json = OTLPDocument.document(finished, version: "1.2.3")
        let resource = try #require(json["resourceSpans"]?.arrayValue?.first)
        #expect(
            resource["resource"]?["attributes"]?.arrayValue?.first
                == ["key": "service.name", "value": ["stringValue": "payrelay"]])
        #expect(
            resource["scopeSpans"]?.arrayValue?.first?["spans"] == [
                [
                    "traceId": "4bf92f3577b34da6a3ce929d0e0e4736", "spanId": .string(span.context.spanIdentifier),
                    "parentSpanId": "00f067aa0ba902b7", "name": "POST /v1/payments", "kind": 2,
                    "startTimeUnixNano": .string("\(span.start)"), "endTimeUnixNano": .string("\(span.end)"),
                    "attributes": [
                        ["key": "http.response.status_code", "value": ["intValue": "503"]],
                        ["key": "http.route", "value": ["stringValue": "/v1/payments"]],
                    ],
                    "status": ["code": 2],
                ]
            ])
    }

    @Test("A trace is recorded completely or not at all: as the client says, and at random if it begins here")
    func sampling() {
        func record(_ parent: String?, _ tracer: TraceContextTracer) {
            var context = ServiceContext.topLevel
            context.traceContext = parent.flatMap { TraceContext($0) }
            let span = tracer.startAnySpan("a", context: context)
            tracer.startAnySpan("b", context: span.context).end()
            span.end()
        }
        let known = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-0"
        #expect(spans(sampledPercent: 0) { record(known + "1", $0) }.map(\.operationName) == ["b", "a"])
        #expect(spans { record(known + "0", $0) }.isEmpty)
        #expect(spans(sampledPercent: 0) { record(nil, $0) }.isEmpty)
        let begun = spans { record(nil, $0) }
        #expect(begun.count == 2 && begun[0].parentSpanIdentifier == begun[1].context.spanIdentifier)
        #expect(begun[1].parentSpanIdentifier == nil)
    }
}
