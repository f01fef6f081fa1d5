import Foundation
import OutboundHTTP
import PayrelayPrimitives
import TestPrograms
import Testing

/// `POST /v1/sdk-tokens`, for apps that pay with FORT's mobile SDK.
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

    /// A payment with FORT's SDK bypasses the relay, which gets FORT's feedback on it.
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
        #expect(try await relay.outcome(of: reference) { $0 != nil } == "captured")
        let shown = try await relay.get("/v1/payments/\(reference)")
        #expect(shown.status == 200 && shown.json?["made_elsewhere"] == true)
        #expect(shown.json?["unproven"] == ["command", "currency"])
        // The reference is taken: it is never charged a second time.
        let again = try await relay.pay(Orders.body(reference).json)
        #expect(again.status == 422 && again.problem == "reference-taken")
        #expect(try await relay.sandbox.charges(of: reference) == 1)
    }

    /// The test takes all steps: token, operation and feedback. After that the merchant manages the payment in the relay.
    @Test func aPaymentOfTheSDKIsSeenQueriedCapturedRefundedAndReported() async throws {
        let backend = try EventBackend(answering: 200)
        let key = try await GeneratedKey(
            "shop", "payments:read,payments:manage,payments:made-elsewhere,sdk-tokens:create")
        let relay = try await RunningRelay([
            "PAYRELAY_API_KEYS": key.line, "PAYRELAY_EVENTS_URL": backend.url,
            "PAYRELAY_EVENTS_SECRET": "whsec_QUJDREVGR0hJSktMTU5PUFFSU1RVVldY",
        ])
        try await relay.sendFeedbackHere()
        let token = try await relay.sdkToken(bearing: key.key)
        let reference = Orders.reference()
        let order = RunningRelay.operation("AUTHORIZATION", reference, token)
        let fields: KeyValuePairs<String, JSON?> = [
            "remember_me": "YES", "payment_option": "MASTERCARD", "eci": "ECOMMERCE",
            "settlement_reference": "XYZ9239-yu898", "customer_name": "Sara",
        ]
        let paid = try await relay.sandbox.sdk(order.with(fields))
        #expect(paid["response_code"] == "02000" && paid["payment_option"] == "MASTERCARD")
        let cardName = try #require(paid["token_name"])
        #expect(try await relay.sandbox.sdk(order.with(["merchant_reference": "again"]))["response_code"] == "00040")
        try await relay.sandbox.waitForFeedback()

        let path = "/v1/payments/\(reference)"
        try await relay.program.wait(for: "the payment") {
            try await relay.get(path, headers: bearer(key.key)).status == 200
        }
        let seen = try await relay.get(path, headers: bearer(key.key))
        #expect(seen.outcome == "authorized" && seen.json?["made_elsewhere"] == true)
        #expect(seen.json?["unproven"] == ["currency"] && seen.json?["amount"] == 10_000)
        func post(_ verb: String, _ body: JSON = [:]) async throws -> JSON? {
            let answer = try await relay.post("\(path)/\(verb)", body.encoded(), headers: bearer(key.key))
            #expect(answer.status == 200, "\(verb): \(String(decoding: answer.body, as: UTF8.self))")
            return answer.json
        }
        #expect(try await post("sync")?["outcome"] == "authorized")
        #expect(try await post("capture", ["amount": 6_000])?["response_code"] == "04000")
        #expect(try await post("refund", ["amount": 2_000])?["response_code"] == "06000")
        #expect(try await post("sync")?["outcome"] == "partially_refunded")
        let known = try await relay.get(path, headers: bearer(key.key)).json
        #expect(known?["captured_amount"] == 6_000 && known?["refunded_amount"] == 2_000)
        #expect(known?["operations"]?.arrayValue?.count == 2)
        let books = try #require(try await relay.sandbox.books().first)
        #expect(books["captured_amount"] == 6_000 && books["refunded_amount"] == 2_000)

        let types = ["payment.authorized", "payment.partially_captured", "payment.partially_refunded"]
        try await relay.program.wait(for: "the events") { backend.deliveries.count == types.count }
        let events = try backend.deliveries.map { try JSON(parsing: $0.body) }
        #expect(events.map { $0["type"]?.stringValue } == types)
        for event in events {
            #expect(event["merchant_reference"] == .string(reference))
            #expect(event["payment"]?["made_elsewhere"] == true)
        }
        // The saved card pays the next order.
        let next = RunningRelay.operation("PURCHASE", Orders.reference(), try await relay.sdkToken(bearing: key.key))
        #expect(try await relay.sandbox.sdk(next.with(["token_name": cardName]))["response_code"] == "14000")
    }

    @Test("S1: no SDK token is in the journal of a payment that it made")
    func noSDKTokenIsInTheJournal() async throws {
        let relay = try await RunningRelay()
        try await relay.sendFeedbackHere()
        let token = try await relay.sdkToken()
        let reference = Orders.reference()
        _ = try await relay.sandbox.sdk(RunningRelay.operation("PURCHASE", reference, token).json)
        try await relay.sandbox.waitForFeedback()
        #expect(try await relay.outcome(of: reference) { $0 != nil } == "captured")
        let seen = try await relay.get("/v1/payments/\(reference)")
        #expect(seen.json?["processor_response"]?["signature"] == nil)
        #expect(seen.outcome == "captured" && !String(decoding: seen.body, as: UTF8.self).contains(token))
        #expect(try relay.journalBytes.firstRange(of: Data(token.utf8)) == nil)
        #expect(!relay.program.text.contains(token))
    }

    @Test func aWrongRequestIsRefusedBeforeARequestToFORT() async throws {
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
