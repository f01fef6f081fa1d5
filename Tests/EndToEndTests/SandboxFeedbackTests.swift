import FortAPI
import Foundation
import OrderedJSON
import Testing

/// A sandbox that tells by itself, and a relay that believes it.
@Suite struct SandboxFeedbackTests {
    /// Nobody answers the charge, the refund or any query: only feedback can settle them.
    @Test(arguments: FortFeedback.Format.allCases)
    func whatFORTNeverAnswersIsSettledByWhatItTells(format: FortFeedback.Format) async throws {
        let relay = try await RunningRelay(["PAYRELAY_FORT_TIMEOUT_SECONDS": "1"])
        try await relay.sandbox.set(
            "faults",
            [
                "faults": [
                    ["fault": "charge_and_never_answer", "command": "PURCHASE"],
                    ["fault": "charge_and_never_answer", "command": "REFUND"],
                    ["fault": "never_answer", "command": "CHECK_STATUS"],
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
        _ = try await relay.maintain(reference, "refund", ["amount": 4_000])
        #expect(try await relay.finalOutcome(of: reference) == "partially_refunded")
        #expect(try await relay.sandbox.charges(of: reference) == 1)
        #expect(try await relay.sandbox.books().first?["refunds"] == 1)
    }
}
