import FortAPI
import Foundation
import OutboundHTTP
import PayrelayPrimitives
import Testing

/// Feedback of a sandbox to a relay.
@Suite struct SandboxFeedbackTests {
    /// The charge and the refund get no answer. FORT's feedback makes the relay query FORT at once.
    @Test(arguments: FortFeedback.Format.allCases)
    func feedbackHasTheRelayAskAboutChargesAndOperations(format: FortFeedback.Format) async throws {
        let relay = try await RunningRelay(["PAYRELAY_FORT_TIMEOUT_SECONDS": "3"])
        try await relay.sandbox.set(
            "faults",
            [
                "faults": [
                    ["fault": "charge_and_never_answer", "command": "PURCHASE"],
                    ["fault": "charge_and_never_answer", "command": "REFUND"],
                ]
            ])
        let feedback = "http://127.0.0.1:\(relay.port)/v1/feedback"
        try await relay.sandbox.set(
            "feedback",
            [
                "direct_url": .string("\(feedback)/direct"), "notification_url": .string("\(feedback)/notification"),
                "format": .string(format.name),
            ])
        let reference = Orders.reference()
        _ = try await relay.pay(Orders.body(reference).json)
        #expect(try await relay.finalOutcome(of: reference) == "captured")
        _ = try await relay.perform(reference, "refund", ["amount": 4_000])
        #expect(try await relay.finalOutcome(of: reference) == "partially_refunded")
        try await relay.waitForInvestigations(2)
        #expect(try await relay.sandbox.charges(of: reference) == 1)
        #expect(try await relay.sandbox.books().first?["refunds"] == 1)
    }

    /// FORT answers a query by the reference with the first charge. Its feedback names the second charge by its number.
    @Test("R17: a second charge that only feedback names is an alert, an entry of the history and an event")
    func aSecondChargeIsFoundByItsNumber() async throws {
        let relay = try await RunningRelay([
            "PAYRELAY_EVENTS_URL": "http://127.0.0.1:1/events",
            "PAYRELAY_EVENTS_SECRET": "whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=",
        ])
        let feedback = "http://127.0.0.1:\(relay.port)/v1/feedback"
        try await relay.sandbox.set("feedback", ["direct_url": .string("\(feedback)/direct")])
        let reference = Orders.reference()
        let paid = try await relay.pay(Orders.body(reference, amount: 10_002).json)
        #expect(paid.outcome == "captured")
        let numbers = try await relay.sandbox.books().compactMap { $0["fort_id"]?.stringValue }
        #expect(numbers.count == 2)
        // The alert is logged before the entry is written.
        func last() async throws -> JSON? {
            try await relay.get("/v1/payments/\(reference)").json?["history"]?.arrayValue?.last
        }
        try await relay.program.wait(for: "the second charge") {
            try await last()?["reason"]?.stringValue?.contains(numbers[1]) == true
        }
        #expect(try await relay.metric(#"payrelay_contradictions_total{kind="second_charge"}"#) == 1)
        let shown = try await relay.get("/v1/payments/\(reference)")
        #expect(shown.outcome == "captured" && shown.json?["captured_amount"] == 10_002)
        let last = try await last()
        #expect(last?["asked_by"] == "notification")
        let events = try await relay.get("/v1/payments/\(reference)/events")
        #expect(String(decoding: events.body, as: UTF8.self).contains("payment.second_charge"))
    }

    /// Feedback reports each step three times, late and in any order. The feedback on the authorization may come after the
    /// feedback on the refund.
    @Test("R11: feedback that comes three times, late and in any order reverses nothing", arguments: [1, 2, 3])
    func repeatedAndReorderedFeedbackReversesNothing(seed: Int) async throws {
        let relay = try await RunningRelay(["PAYRELAY_FORT_TIMEOUT_SECONDS": "3"])
        let silent = ["AUTHORIZATION", "CAPTURE", "REFUND"].map { command -> JSON in
            ["fault": "charge_and_never_answer", "command": .string(command)]
        }
        try await relay.sandbox.set("faults", ["faults": .array(silent)])
        let feedback = "http://127.0.0.1:\(relay.port)/v1/feedback"
        try await relay.sandbox.set(
            "feedback",
            [
                "direct_url": .string("\(feedback)/direct"), "notification_url": .string("\(feedback)/notification"),
                "copies": 3, "shuffle_seconds": 4, "seed": JSON(seed),
            ])
        let reference = Orders.reference()
        _ = try await relay.pay(Orders.body(reference).with(["command": "AUTHORIZATION"]))
        #expect(try await relay.finalOutcome(of: reference) == "authorized")
        _ = try await relay.perform(reference, "capture", ["amount": 4_000])
        #expect(try await relay.finalOutcome(of: reference) == "partially_captured")
        _ = try await relay.perform(reference, "refund", ["amount": 1_000])
        #expect(try await relay.finalOutcome(of: reference) == "partially_refunded")
        try await relay.sandbox.waitForFeedback()
        let shown = try await relay.get("/v1/payments/\(reference)")
        #expect(shown.outcome == "partially_refunded")
        #expect(shown.json?["captured_amount"] == 4_000 && shown.json?["refunded_amount"] == 1_000)
        #expect(shown.json?["operations"]?.arrayValue?.count == 2)
    }
}
