import Foundation
import PayrelayPrimitives
import OutboundHTTP
import TestPrograms
import Testing

/// `POST /v1/sdk-tokens`, for apps that pay with FORT's own mobile SDK.
@Suite struct SdkTokenTests {
    private static let device = "ffffffff-a9fa-0b44-7b27-29e70033c587"

    @Test("S1: an SDK token is passed on and not logged")
    func anSDKTokenIsPassedOnAndNotLogged() async throws {
        let relay = try await RunningRelay()
        let answer = try await relay.post("/v1/sdk-tokens", JSON.object(["device_id": .string(Self.device)]).encoded())
        #expect(answer.status == 200)
        let token = try #require(answer.json?["sdk_token"]?.stringValue)
        #expect(answer.json?["response_code"] == "22000" && answer.json?["device_id"] == .string(Self.device))
        #expect(answer.json?["signature"] == nil)
        #expect(answer.header("Cache-Control") == "no-store")
        #expect(!relay.program.text.contains(token))
    }

    /// A payment of FORT's own SDK bypasses the relay, which gets FORT's feedback on it.
    @Test func anSDKPaymentIsRecordedByItsFeedback() async throws {
        let relay = try await RunningRelay()
        let feedback = "http://127.0.0.1:\(relay.port)/v1/feedback/direct"
        try await relay.sandbox.set("feedback", ["direct_url": .string(feedback), "notification_url": .null])
        let answer = try await relay.post("/v1/sdk-tokens", JSON.object(["device_id": .string(Self.device)]).encoded())
        let token = try #require(answer.json?["sdk_token"])
        func operation(_ reference: String, _ changes: KeyValuePairs<String, JSON?> = [:]) async throws -> JSON? {
            let order: JSONObject = [
                "command": "PURCHASE", "merchant_reference": .string(reference), "amount": "10000", "currency": "AED",
                "language": "en", "customer_email": "sara@example.com", "sdk_token": token,
                "device_id": .string(Self.device),
            ]
            return try await relay.sandbox.sdk(order.with(changes))
        }
        let reference = Orders.reference()
        #expect(try await operation(reference, ["sdk_token": "0123456789ABCDEF"])?["response_code"] == "00040")
        #expect(try await operation(reference, ["device_id": "another-device"])?["response_code"] == "00040")
        #expect(try await relay.sandbox.books().isEmpty)
        #expect(try await operation(reference)?["response_code"] == "14000")
        #expect(try await operation(Orders.reference())?["response_code"] == "00040")
        #expect(try await relay.sandbox.charges(of: reference) == 1)
        #expect(try await relay.sandbox.books().count == 1)

        try await relay.sandbox.waitForFeedback()
        let counts = try await relay.sandbox.shown("feedback")
        #expect(counts["delivered"] == 1 && counts["given_up"] == 0)
        let shown = try await relay.get("/v1/payments/\(reference)")
        #expect(shown.status == 200 && shown.outcome == "captured" && shown.json?["made_elsewhere"] == true)
        // The reference is taken: it is never charged a second time.
        let again = try await relay.pay(Orders.body(reference).json)
        #expect(again.status == 422 && again.problem == "reference-taken")
        #expect(try await relay.sandbox.charges(of: reference) == 1)
    }

    @Test func aWrongRequestIsRefusedBeforeFORTIsAsked() async throws {
        let relay = try await RunningRelay()
        let body: JSON = ["language": "fr", "device": "x"]
        let unknown = try await relay.post("/v1/sdk-tokens", body.encoded())
        #expect(unknown.status == 400 && unknown.faultyFields == ["device"])
        let faulty = try await relay.post("/v1/sdk-tokens", JSON.object(["language": "fr"]).encoded())
        #expect(faulty.status == 400 && Set(faulty.faultyFields) == ["device_id", "language"])
        let account = try await relay.post(
            "/v1/sdk-tokens", JSON.object(["device_id": .string(Self.device), "account": "egypt"]).encoded())
        #expect(account.status == 400 && account.faultyFields == ["account"])
    }

    @Test func fortsRefusalIsPassedOn() async throws {
        let relay = try await RunningRelay(["PAYRELAY_FORT_ACCESS_CODE": "nobody"])
        let answer = try await relay.post("/v1/sdk-tokens", JSON.object(["device_id": .string(Self.device)]).encoded())
        #expect(answer.status == 502)
        #expect(answer.problem == "processor-refused" || answer.problem == "processor-unproven")
        #expect(answer.json?["detail"]?.stringValue?.isEmpty == false)
    }

    @Test func anUnreachableFORTIsAnsweredWith503AndRetryAfter() async throws {
        let dead = try LoopbackSocket()
        let relay = try await RunningRelay([
            "PAYRELAY_FORT_ENDPOINT": "http://127.0.0.1:\(dead.port)/FortAPI/paymentApi"
        ])
        let answer = try await relay.post("/v1/sdk-tokens", JSON.object(["device_id": .string(Self.device)]).encoded())
        #expect(answer.status == 503 && answer.problem == "processor-unreachable")
        #expect(answer.header("Retry-After") != nil)
    }
}
