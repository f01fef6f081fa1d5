import HTTPTypes
import Hummingbird
import Observability
import PaymentRelay
import PayrelayPrimitives
import Synchronization
import Testing
import TokenMint
import Tracing

@testable import RelayServer

@Suite struct TraceTests {
    private static let known = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"

    @Test func continuesTheClientsTrace() async throws {
        let name = try #require(HTTPField.Name("traceparent"))
        for (sent, isTaken) in [(Self.known, true), ("00-0-0-00", false), (nil, false)] as [(String?, Bool)] {
            let answer = try await withTracer(TraceContextTracer()) {
                try await ServerBench.answer(of: [], to: .get, "/", headers: sent.map { [name: $0] } ?? [:])
            }
            let trace = try #require(answer.headers[name].flatMap { TraceContext($0) })
            #expect((trace.traceIdentifier == "4bf92f3577b34da6a3ce929d0e0e4736") == isTaken)
        }
    }

    @Test func recordsAPaymentsStepsBelowItsRequest() async throws {
        let finished = Mutex<[FinishedSpan]>([])
        let tracer = TraceContextTracer { span in finished.withLock { $0.append(span) } }
        let token = try TokenMint().mint(ServerBench.contents, signedAt: ServerBench.now)
        try await withTracer(tracer) {
            // A relay keeps the tracer that it finds when it is made.
            let bench = try ServerBench(ledger: Ledger())
            let order: JSON = [
                "command": "PURCHASE", "merchant_reference": "ORDER-1", "amount": 10_000, "currency": "OMR",
                "token": token,
            ]
            #expect(try await bench.post("/v1/payments", order).status == .ok)
        }
        let spans = finished.withLock { $0 }
        #expect(spans.map(\.operationName) == ["verify", "claim", "charge", "settle", "POST /v1/payments"])
        let request = try #require(spans.last)
        #expect(request.kind == .server && request.status?.code != .error)
        #expect(
            spans.dropLast().allSatisfy {
                $0.parentSpanIdentifier == request.context.spanIdentifier
                    && $0.context.traceIdentifier == request.context.traceIdentifier
            })
        var attributes: [String] = []
        request.attributes.forEach { name, _ in attributes.append(name) }
        #expect(attributes.sorted() == ["http.request.method", "http.response.status_code", "http.route"])
    }
}
