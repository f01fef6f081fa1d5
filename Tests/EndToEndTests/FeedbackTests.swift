import FortAPI
import Foundation
import PayrelayPrimitives
import OutboundHTTP
import TestPrograms
import Testing

/// FORT's transaction feedback over HTTP: forged, replayed, reordered.
@Suite struct FeedbackTests {
    @Test(
        "R11: feedback settles an uncertain payment once, however often it comes",
        arguments: ["direct", "notification"])
    func feedbackSettlesAnUncertainPayment(kind: String) async throws {
        // Nothing but feedback can settle it: CHECK_STATUS gets no answer in time.
        let fort = try LoopbackSocket.silentServer()
        let relay = try await RunningRelay([
            "PAYRELAY_FORT_ENDPOINT": "http://127.0.0.1:\(fort.port)/", "PAYRELAY_FORT_TIMEOUT_SECONDS": "1",
        ])
        let reference = Orders.reference()
        #expect(try await relay.pay(Orders.body(reference).json).outcome == "uncertain")
        for format in [FortFeedback.Format.form, .json, .form] {
            #expect(try await relay.feedback(kind, Self.captured(reference), as: format).status == 200)
        }
        let shown = try await relay.get("/v1/payments/\(reference)")
        #expect(shown.status == 200 && shown.outcome == "captured")
        #expect(shown.json?["history"]?.arrayValue?.count == 3)
    }

    @Test("R11: forged feedback is refused and changes nothing")
    func forgedFeedbackIsRefusedAndChangesNothing() async throws {
        let fort = try LoopbackSocket.silentServer()
        let relay = try await RunningRelay([
            "PAYRELAY_FORT_ENDPOINT": "http://127.0.0.1:\(fort.port)/", "PAYRELAY_FORT_TIMEOUT_SECONDS": "1",
        ])
        let reference = Orders.reference()
        _ = try await relay.pay(Orders.body(reference).json)
        var unsigned = Self.captured(reference)
        unsigned["signature"] = nil
        for (message, phrase) in [(Self.captured(reference), "REQ"), (unsigned, nil)] as [(JSONObject, String?)] {
            let refused = try await relay.feedback("direct", message, as: .json, phrase: phrase)
            #expect(refused.status == 401 && refused.problem == "feedback-not-proven")
        }
        let other = try await relay.feedback(
            "direct", Self.captured(reference, amount: "9999"), as: .json, phrase: relay.responsePhrase)
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

    /// Success of a purchase, as FORT reports it.
    private static func captured(_ reference: String, amount: String = "10000") -> JSONObject {
        [
            "command": "PURCHASE", "merchant_reference": .string(reference), "amount": .string(amount),
            "currency": "AED", "response_code": "14000", "status": "14", "response_message": "Success",
            "fort_id": "149295435400084008",
        ]
    }
}

extension RunningRelay {
    var responsePhrase: String { sandbox.settings["PAYRELAY_FORT_RESPONSE_PHRASE", default: ""] }

    /// Sends a message of FORT.
    ///
    /// - Parameter phrase: nil leaves it unsigned.
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
