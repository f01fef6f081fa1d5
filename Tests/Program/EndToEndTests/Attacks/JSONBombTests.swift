import Foundation
import OutboundHTTP
import PayrelayPrimitives
import Testing

/// Bodies within the size limit that cost more to read than to send: deep or wide ones, and ones with long numbers and names.
@Suite struct JSONBombTests {
    private static func repeated(_ text: String, _ count: Int) -> String { String(repeating: text, count: count) }

    private static let members = (0..<25_000).map { "\"\($0)\":0" }.joined(separator: ",")

    private static var bombs: [(text: String, problem: String)] {
        [
            (repeated("[", 200_000), "not-json"), (repeated(#"{"a":"#, 40_000), "not-json"),
            (#"{"token":"# + repeated("[", 100_000) + repeated("]", 100_000) + "}", "not-json"),
            ("{\(members)}", "invalid-fields"), (#"{"token":{\#(members)}}"#, "invalid-fields"),
            (#"{"token":{"paymentData":{"header":{\#(members)}}}}"#, "invalid-fields"),
            ("[" + repeated("0,", 130_000) + "0]", "not-json"),
            (#"{"amount":\#(repeated("9", 250_000))}"#, "invalid-fields"),
            (#"{"amount":1e999999999}"#, "invalid-fields"),
            (#"{"amount":1\#(repeated("0", 1_000))e-1000}"#, "invalid-fields"),
            (#"{"amount":-0}"#, "invalid-fields"), (#"{"amount":1.0}"#, "invalid-fields"),
            (#"{"merchant_reference":"\#(repeated(#"\u0041"#, 40_000))"}"#, "invalid-fields"),
            (#"{"\#(repeated("\u{202E}", 80_000))":1}"#, "invalid-fields"),
            (#"{"amount":1,"amount":10000}"#, "not-json"), (#"{"amount":1,"\u0061mount":10000}"#, "not-json"),
            (#"{"token":{"paymentData":1,"paymentData":2}}"#, "not-json"), (#"{"amount":"\ud800"}"#, "not-json"),
            (#"{"token":{"paymentData":"\#(repeated("[", 100_000))"}}"#, "invalid-fields"),
        ]
    }

    @Test func aBodyThatIsCostlyToReadIsAnsweredWith400() async throws {
        let relay = try await RunningRelay()
        for (text, problem) in Self.bombs {
            let answer = try await relay.post("/v1/payments", Array(text.utf8))
            #expect(answer.status == 400 && answer.problem == problem, "\(text.prefix(60))")
            // The answer must not be many times longer than the request.
            #expect(answer.body.count <= 2 * text.utf8.count + 4_096, "\(text.prefix(60))")
        }
        #expect(!relay.program.text.contains(#""level":"error""#))
        #expect(try await relay.sandbox.books().isEmpty)
        #expect(try await relay.pay(Orders.body().json).outcome == "captured")
    }
}
