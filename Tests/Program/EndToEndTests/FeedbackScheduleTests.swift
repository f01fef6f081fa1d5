import PayrelayPrimitives
import TestPrograms
import Testing

/// FORT may send feedback twice, late or never. The outcomes of the payments are the same each time.
@Suite(.timeLimit(.minutes(25)))
struct FeedbackScheduleTests {
    /// The outcomes of a test's payments and operations, by the order's name in the test.
    private typealias EndState = [String: JSON]

    @Test("R11: payments end in the same state, whether FORT sends its feedback once, twice, late or never")
    func feedbackTwiceLateOrNever() async throws {
        let once = try await endState(["copies": 1])
        #expect(once["paid"]?["outcome"] == "partially_refunded" && once["paid"]?["refunded_amount"] == 2_500)
        #expect(once["held"]?["outcome"] == "partially_captured" && once["held"]?["captured_amount"] == 4_000)
        #expect(once["voided"]?["outcome"] == "voided")
        #expect(once["declined"]?["outcome"] == "declined")
        #expect(once["unconfirmed"]?["outcome"] == "captured")
        for schedule in [
            ["copies": 2], ["copies": 2, "shuffle_seconds": 2, "seed": 7],
            ["copies": 3, "delay_seconds": 2, "shuffle_seconds": 1], ["copies": 0],
        ] as [JSONObject] {
            #expect(try await endState(schedule) == once, "\(schedule)")
        }
    }

    /// Returns the relay's view of each order after every message has arrived.
    private func endState(_ schedule: JSONObject) async throws -> EndState {
        let relay = try await RunningRelay()
        var settings = schedule
        for kind in ["direct", "notification"] {
            settings["\(kind)_url"] = .string("http://127.0.0.1:\(relay.port)/v1/feedback/\(kind)")
        }
        try await relay.sandbox.set("feedback", .object(settings))
        let names = ["paid", "held", "voided", "declined", "unconfirmed"]
        let references = Dictionary(uniqueKeysWithValues: names.map { ($0, Orders.reference()) })
        func path(_ name: String, _ end: String = "") -> String { "/v1/payments/\(references[name] ?? "")\(end)" }
        func pay(_ name: String, amount: Int = 10_000, _ command: String = "PURCHASE") async throws {
            var order = try Orders.body(references[name] ?? "", amount: amount)
            order["command"] = .string(command)
            _ = try await relay.pay(order.json)
        }
        try await pay("paid")
        try await pay("held", "AUTHORIZATION")
        try await pay("voided", "AUTHORIZATION")
        try await pay("declined", amount: 10_666)
        try await pay("unconfirmed", amount: 15_777)
        _ = try await relay.post(path("paid", "/refund"), Array(#"{"amount": 2500}"#.utf8))
        _ = try await relay.post(path("held", "/capture"), Array(#"{"amount": 4000}"#.utf8))
        _ = try await relay.post(path("voided", "/void"), Array("{}".utf8))
        // One payment is uncertain, and its feedback may never come. The relay's own query ends it.
        try await relay.program.wait(for: "the outcome of \(path("unconfirmed"))") {
            try await relay.post(path("unconfirmed", "/sync"), []).outcome == "captured"
        }
        try await relay.sandbox.waitForFeedback()
        var end: EndState = [:]
        for name in names {
            let payment = try await relay.post(path(name, "/sync"), []).json
            let operations = payment?["operations"]?.arrayValue ?? []
            end[name] = [
                "outcome": payment?["outcome"] ?? .null, "captured_amount": payment?["captured_amount"] ?? .null,
                "refunded_amount": payment?["refunded_amount"] ?? .null,
                "operations": .array(operations.map { $0["outcome"] ?? .null }),
            ]
        }
        return end
    }
}
