import HTTPTypes
import Hummingbird
import InMemoryTracing
import Logging
import PaymentRelay
import Synchronization
import Testing
import TokenMint
import Tracing

@testable import RelayServer

@Suite struct TraceTests {
    private static let known = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"

    /// Those of the standard's own text (W3C Trace Context), and its rules one by one.
    @Test(arguments: [
        known, "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00",
        "cc-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-what-the-future-will-be-like",
    ])
    func aValidParentIsTakenOn(text: String) throws {
        let child = try #require(TraceParent(text)).child
        let parts = child.text.split(separator: "-")
        #expect(parts.count == 4 && parts[0] == "00" && parts[1] == "4bf92f3577b34da6a3ce929d0e0e4736")
        #expect(parts[2] != "00f067aa0ba902b7" && TraceParent(child.text) == child)
    }

    @Test(arguments: [
        "", "00", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-more",
        "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
        "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
        "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
        "00-4bf92f3577b34da6a3ce929d0e0e473-00f067aa0ba902b7-01",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-0g",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01\r\n", " \(known)",
    ])
    func whatIsNoParentIsNotTaken(text: String) {
        #expect(TraceParent(text) == nil)
    }

    @Test func theAnswerGoesOnWithTheCallersTrace() async throws {
        let name = try #require(HTTPField.Name("traceparent"))
        for (sent, isTaken) in [(Self.known, true), ("00-0-0-00", false), (nil, false)] as [(String?, Bool)] {
            let answer = try await ServerBench.answer(
                of: [], to: .get, "/", headers: sent.map { [name: $0] } ?? [:])
            let trace = try #require(answer.headers[name].flatMap { TraceParent($0) })
            #expect((trace.traceIdentifier == "4bf92f3577b34da6a3ce929d0e0e4736") == isTaken)
        }
    }

    @Test func everyLineOfTheRequestHasItsTrace() async throws {
        let lines = Mutex<[[UInt8]]>([])
        var handler = JSONLogHandler(label: "test", level: .trace) { line in lines.withLock { $0.append(line) } }
        handler.metadataProvider = JSONLogHandler.trace
        let logger = Logger(label: "test") { _ in handler }
        let parent = try #require(TraceParent(Self.known))
        await TraceParent.$current.withValue(parent) {
            // As a payment is carried through: in a task that nobody's cancellation reaches.
            await Task { logger.info("within") }.value
        }
        logger.info("outside")
        let texts = lines.withLock { $0 }.map { String(decoding: $0, as: UTF8.self) }
        #expect(texts[0].contains(#""span_id":"00f067aa0ba902b7","trace_id":"4bf92f3577b34da6a3ce929d0e0e4736""#))
        #expect(!texts[1].contains("trace_id"))
    }

    @Test func aPaymentsStepsAreSpansBelowItsRequest() async throws {
        let tracer = InMemoryTracer()
        let bench = try ServerBench()
        let token = try TokenMint().mint(ServerBench.contents, signedAt: ServerBench.now)
        try await withTracer(tracer) {
            _ = try await bench.post("/v1/payments", ServerBench.order(token))
        }
        let spans = tracer.finishedSpans
        #expect(spans.map(\.operationName) == ["verify", "claim", "charge", "settle", "POST /v1/payments"])
        let request = try #require(spans.last)
        #expect(request.kind == .server && request.status?.code == .error)
        #expect(spans.dropLast().allSatisfy { $0.parentSpanID == request.spanID && $0.traceID == request.traceID })
        var attributes: [String] = []
        request.attributes.forEach { name, _ in attributes.append(name) }
        #expect(attributes.sorted() == ["http.request.method", "http.response.status_code", "http.route"])
    }
}
