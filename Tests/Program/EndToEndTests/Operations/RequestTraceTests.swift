import OutboundHTTP
import PayrelayPrimitives
import Testing

/// Identifiers that join a client's log with the relay's.
@Suite struct RequestTraceTests {
    @Test func requestAndTraceIdentifiersAreInTheAnswerAndEveryLogLine() async throws {
        let relay = try await RunningRelay()
        let reference = Orders.reference()
        let answer = try await relay.post(
            "/v1/payments", Orders.body(reference).json.encoded(),
            headers: [
                ("X-Request-Id", "shop-4711"),
                ("traceparent", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"),
            ])
        #expect(answer.outcome == "captured" && answer.header("X-Request-Id") == "shop-4711")
        let parent = try #require(answer.header("traceparent"))
        #expect(parent.wholeMatch(of: /00-4bf92f3577b34da6a3ce929d0e0e4736-[0-9a-f]{16}-01/) != nil)
        #expect(!parent.contains("00f067aa0ba902b7"))

        // Waits for a line, because it may be written after the answer.
        func line(_ message: JSON) async throws -> JSON {
            var found: JSON?
            try await relay.program.wait(for: "the line \(message)") {
                found = relay.program.lines.compactMap { try? JSON(parsing: Array($0.utf8)) }
                    .last { $0["message"] == message }
                return found != nil
            }
            return try #require(found)
        }
        for line in [try await line("payment"), try await line("request")] {
            #expect(line["request_id"] == "shop-4711")
            #expect(line["trace_id"] == "4bf92f3577b34da6a3ce929d0e0e4736")
        }
        let payment = try await line("payment")
        #expect(payment["merchant_reference"] == .string(reference) && payment["outcome"] == "captured")
        for step in ["verify", "claim", "charge", "settle"] { #expect(payment["\(step)_ms"] != nil) }
        let history = try await relay.get("/v1/payments/\(reference)").json?["history"]?.arrayValue
        #expect(history?.allSatisfy { $0["request_id"] == "shop-4711" } == true)
    }

    @Test func aMalformedRequestIdentifierIsReplaced() async throws {
        let relay = try await RunningRelay()
        let answer = try await relay.get(
            "/v1/payments/none",
            headers: [("X-Request-Id", "CANARY@\"}{"), ("traceparent", "00-CANARY-CANARY-00")])
        let identifier = try #require(answer.header("X-Request-Id"))
        #expect(!identifier.contains("CANARY") && !identifier.isEmpty)
        #expect(answer.header("traceparent")?.hasPrefix("00-") == true)
        #expect(!relay.program.text.contains("CANARY"))
    }
}
