import Foundation
import OutboundHTTP
import PayrelayPrimitives
import Testing

/// Spans over sockets, to a collector on loopback.
@Suite struct TracingTests {
    private static let trace = "4bf92f3577b34da6a3ce929d0e0e4736"

    private func spans(of collector: EventBackend) throws -> [JSON] {
        try collector.deliveries.flatMap { delivery in
            let resources = try JSON(parsing: delivery.body)["resourceSpans"]?.arrayValue ?? []
            return resources.flatMap { $0["scopeSpans"]?.arrayValue ?? [] }
                .flatMap { $0["spans"]?.arrayValue ?? [] }
        }
    }

    @Test("S1: a payment's spans reach the collector when the relay stops, with its trace and nothing personal")
    func exportsSpans() async throws {
        let collector = try EventBackend(answering: 200)
        let relay = try await RunningRelay(["PAYRELAY_TRACING_OTLP_URL": collector.url])
        let body = try Orders.body(Orders.reference()).json
        let paid = try await relay.post(
            "/v1/payments", body.encoded(), headers: [("traceparent", "00-\(Self.trace)-00f067aa0ba902b7-01")])
        #expect(paid.status == 200 && paid.header("traceparent")?.contains(Self.trace) == true)
        relay.program.signal(SIGTERM)
        #expect(try await relay.program.end() == 0)

        let spans = try spans(of: collector).filter { $0["traceId"] == .string(Self.trace) }
        #expect(
            Set(spans.compactMap { $0["name"]?.stringValue })
                == ["POST /v1/payments", "verify", "claim", "charge", "settle"])
        let request = try #require(spans.first { $0["name"] == "POST /v1/payments" })
        #expect(request["parentSpanId"] == "00f067aa0ba902b7" && request["kind"] == 2)
        #expect(spans.filter { $0["parentSpanId"] == request["spanId"] }.count == 4)
        #expect(collector.deliveries.allSatisfy { $0.headers["content-type"] == "application/json" })
        #expect(!collector.deliveries.contains { $0.body.contains("sara@example.com") })
    }

    @Test("A collector that hangs delays no payment and no stop beyond its bound")
    func survivesACollectorThatHangs() async throws {
        let collector = try EventBackend(answering: nil)
        let relay = try await RunningRelay(["PAYRELAY_TRACING_OTLP_URL": collector.url])
        #expect(try await relay.pay(Orders.body(Orders.reference()).json).outcome == "captured")
        relay.program.signal(SIGTERM)
        #expect(try await relay.program.end() == 0)
        #expect(relay.program.text.contains("spans dropped"))
    }

    @Test("A collector's URL without TLS is refused outside loopback")
    func refusesAPlainURL() async throws {
        let start = try await RunningRelay.start(
            refusing: ["PAYRELAY_TRACING_OTLP_URL": "http://collector.example/v1/traces"])
        #expect(start.status == 78 && start.text.contains("PAYRELAY_TRACING_OTLP_URL must be an https URL"))
    }
}
