import FortAPI
import Foundation
import OutboundHTTP
import PayrelayPrimitives
import Synchronization
import TestPrograms
import Testing

/// FORT's transaction feedback over HTTP: forged, replayed, reordered.
@Suite struct FeedbackTests {
    /// The refund is made in FORT's dashboard, and the relay does not know of it until FORT reports it.
    @Test(
        "R11: feedback has the relay ask FORT, and the answer counts once, however often it comes",
        arguments: ["direct", "notification"])
    func feedbackHasTheRelayAsk(kind: String) async throws {
        let refunded = Mutex("0")
        let fort = try AnsweringFort { request in
            guard request["query_command"] == "CHECK_STATUS" else {
                return ["response_code": "14000", "status": "14", "fort_id": "1"]
            }
            let refunded = refunded.withLock { $0 }
            let code = refunded == "0" ? "14" : "06"
            return [
                "response_code": "12000", "status": "12", "transaction_status": .string(code),
                "transaction_code": .string(code + "000"), "authorized_amount": "10000", "captured_amount": "10000",
                "refunded_amount": .string(refunded), "fort_id": "1",
            ]
        }
        let relay = try await RunningRelay(fort.settings)
        let messages = FortMessages(relay: relay, account: relay.account(with: AnsweringFort.phrase))
        let reference = Orders.reference()
        #expect(try await relay.pay(Orders.body(reference).json).outcome == "captured")
        refunded.withLock { $0 = "4000" }
        let told = FortMessages.success(.refund, of: reference, amount: "4000")
        for _ in 0..<3 { #expect(try await messages.post(told, to: kind).status == 200) }
        #expect(try await relay.outcome(of: reference) { $0 != "captured" } == "partially_refunded")
        for _ in 0..<3 { #expect(try await messages.post(told, to: kind).status == 200) }
        let shown = try await relay.get("/v1/payments/\(reference)")
        #expect(shown.json?["refunded_amount"] == 4_000 && shown.json?["operations"] == nil)
        let last = shown.json?["history"]?.arrayValue?.last
        #expect(last?["source"] == "check_status" && last?["asked_by"] == "notification")
        #expect(last?["feedback"] == .string(kind))
    }

    @Test("R11: forged feedback is refused and changes nothing")
    func forgedFeedbackIsRefusedAndChangesNothing() async throws {
        let fort = try AnsweringFort.silent()
        let relay = try await RunningRelay(fort.settings.merging(["PAYRELAY_FORT_TIMEOUT_SECONDS": "5"]) { $1 })
        let reference = Orders.reference()
        _ = try await relay.pay(Orders.body(reference).json)
        var unsigned = Self.captured(reference)
        unsigned["signature"] = nil
        for (message, phrase) in [(Self.captured(reference), "REQ"), (unsigned, nil)] as [(JSONObject, String?)] {
            let refused = try await relay.feedback("direct", message, as: .json, phrase: phrase)
            #expect(refused.status == 401 && refused.problem == "feedback-not-proven")
        }
        let other = try await relay.feedback(
            "direct", Self.captured(reference, amount: "9999"), as: .json, phrase: AnsweringFort.phrase)
        #expect(other.status == 200)
        #expect(try await relay.get("/v1/payments/\(reference)").outcome == "uncertain")
    }

    @Test("R11: late feedback does not reverse a settled payment")
    func feedbackDoesNotReverseASettledPayment() async throws {
        let relay = try await RunningRelay()
        let reference = Orders.reference()
        _ = try await relay.pay(Orders.body(reference).json)
        var declined = Self.captured(reference)
        declined["response_code"] = "13666"
        declined["status"] = "13"
        #expect(try await relay.feedback("direct", declined, as: .json).status == 200)
        #expect(try await relay.get("/v1/payments/\(reference)").outcome == "captured")
    }

    @Test func unreadableFeedbackIsRefusedWithItsReason() async throws {
        let relay = try await RunningRelay()
        let notJSON = try await relay.post("/v1/feedback/direct", Array("{".utf8))
        #expect(notJSON.status == 400 && notJSON.problem == "feedback-malformed")
        let xml = try await relay.post("/v1/feedback/direct", [], contentType: "application/xml")
        #expect(xml.status == 415)
        let large = try await relay.post("/v1/feedback/direct", [UInt8](repeating: 32, count: 100_000))
        #expect(large.status == 413)
    }

    /// Returns FORT's report of a successful purchase.
    private static func captured(_ reference: String, amount: String = "10000") -> JSONObject {
        [
            "command": "PURCHASE", "merchant_reference": .string(reference), "amount": .string(amount),
            "currency": "AED", "response_code": "14000", "status": "14", "response_message": "Success",
            "fort_id": "149295435400084008",
        ]
    }
}

extension RunningRelay {
    /// Returns the sandbox's account with the response phrase of another FORT.
    func account(with responsePhrase: String) -> FortMessages.Account {
        FortMessages.Account(
            accessCode: sandbox.settings["PAYRELAY_FORT_ACCESS_CODE", default: ""],
            merchantIdentifier: sandbox.settings["PAYRELAY_FORT_MERCHANT_IDENTIFIER", default: ""],
            responsePhrase: responsePhrase)
    }

    /// Waits for an outcome that a test expects, and returns it.
    func outcome(of reference: String, where isAwaited: @escaping @Sendable (String?) -> Bool) async throws -> String? {
        let seen = Mutex<String?>(nil)
        try await program.wait(for: "the outcome of \(reference)") {
            let outcome = try await self.get("/v1/payments/\(reference)").outcome
            seen.withLock { $0 = outcome }
            return isAwaited(outcome)
        }
        return seen.withLock { $0 }
    }

    /// Waits until the relay has queried FORT about every hint that it may query now.
    func waitForInvestigations(_ count: Int) async throws {
        try await program.wait(for: "\(count) investigations") {
            try await self.investigations() >= count
        }
    }

    func investigations() async throws -> Int {
        var sum = 0
        for result in ["known", "changed", "unchanged", "postponed"] {
            sum += try await metric(#"payrelay_hints_investigated_total{result="\#(result)"}"#) ?? 0
        }
        return sum
    }
}

extension RunningRelay {
    var responsePhrase: String { sandbox.settings["PAYRELAY_FORT_RESPONSE_PHRASE", default: ""] }

    /// Sends a message of FORT.
    ///
    /// - Parameter phrase: The phrase that signs the message, or `nil` for no signature.
    fileprivate func feedback(
        _ kind: String, _ message: JSONObject, as format: FortFeedback.Format
    ) async throws -> OutboundAnswer {
        try await feedback(kind, message, as: format, phrase: responsePhrase)
    }

    fileprivate func feedback(
        _ kind: String, _ message: JSONObject, as format: FortFeedback.Format, phrase: String?
    ) async throws -> OutboundAnswer {
        var message = message
        message["access_code"] = sandbox.settings["PAYRELAY_FORT_ACCESS_CODE"].map { .string($0) }
        message["merchant_identifier"] = sandbox.settings["PAYRELAY_FORT_MERCHANT_IDENTIFIER"].map { .string($0) }
        if let phrase {
            let signature = FortSignature(of: message, phrase: Secret(phrase), type: .standard)
            message["signature"] = .string(signature.hexadecimal)
        }
        switch format {
        case .json: return try await post("/v1/feedback/\(kind)", JSON.object(message).encoded())
        case .form:
            let form = message.members.map { "\($0.name)=\(Self.escaped($0.value.stringValue ?? ""))" }
            return try await post(
                "/v1/feedback/\(kind)", Array(form.joined(separator: "&").utf8),
                contentType: "application/x-www-form-urlencoded")
        }
    }

    private static func escaped(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    }
}
