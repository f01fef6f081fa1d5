import Crypto
import Foundation
import OutboundHTTP
import PayrelayPrimitives
import Testing

/// Events to the merchant's backend over sockets, by processes that are killed.
@Suite struct EventTests {
    private static let keys = ["QUJDREVGR0hJSktMTU5PUFFSU1RVVldY", "enl4d3Z1dHNycXBvbm1sa2ppaGdmZWRj"]

    private func settings(for backend: EventBackend, keys: [String] = Self.keys) -> [String: String] {
        [
            "PAYRELAY_EVENTS_URL": backend.url, "PAYRELAY_EVENTS_TIMEOUT_SECONDS": "15",
            "PAYRELAY_EVENTS_SECRET": keys.map { "whsec_\($0)" }.joined(separator: " "),
        ]
    }

    @Test func anEventIsSentUntilItIsAcknowledgedAcrossRestarts() async throws {
        let backend = try EventBackend(answering: 503)
        let relay = try await RunningRelay(settings(for: backend))
        let reference = Orders.reference()
        #expect(try await relay.pay(Orders.body(reference).json).outcome == "captured")
        try await relay.program.wait(for: "two attempts") { backend.deliveries.count >= 2 }
        relay.program.signal(SIGKILL)
        try await relay.program.end()

        backend.answer(204)
        let next = try await RunningRelay(after: relay, settings(for: backend))
        try await next.program.wait(for: "the event") { backend.deliveries.contains { $0.status == 204 } }
        try await next.program.wait(for: "its acknowledgement") {
            try await next.metric("payrelay_events_undelivered_payments") == 0
        }
        #expect(try await next.metric(#"payrelay_event_attempts_total{result="acknowledged"}"#) == 1)
        let event = try #require(backend.deliveries.last)
        #expect(Set(backend.deliveries.map(\.body)).count == 1)
        let json = try JSON(parsing: event.body)
        #expect(json["type"] == "payment.captured" && json["merchant_reference"] == .string(reference))
        #expect(json["payment"]?["response_code"] == "14000" && json["payment"]?["fort_id"] != nil)
        #expect(!event.body.contains("sara@example.com") && !event.body.contains("192.0.2.10"))
        #expect(event.headers["request"] == "POST /events?from=payrelay HTTP/1.1")
        #expect(event.headers["content-type"] == "application/json")
        #expect(event.headers["webhook-id"] == json["id"]?.stringValue)
        for delivery in backend.deliveries {
            for key in Self.keys { #expect(try Self.isSigned(delivery, with: key)) }
            #expect(try !Self.isSigned(delivery, with: String(Self.keys[0].reversed())))
        }
        #expect(!next.program.text.contains(backend.url))
    }

    @Test func theAttemptsToDeliverAnEventAreShownWithoutTheBackendsAnswer() async throws {
        let backend = try EventBackend(answering: 503)
        let relay = try await RunningRelay(settings(for: backend))
        let reference = Orders.reference()
        #expect(try await relay.pay(Orders.body(reference).json).outcome == "captured")
        func event() async throws -> JSON? {
            let answer = try await relay.get("/v1/payments/\(reference)/events")
            #expect(answer.status == 200)
            return try JSON(parsing: answer.body)["events"]?.arrayValue?.first
        }
        try await relay.program.wait(for: "two attempts") {
            try await event()?["deliveries"]?.arrayValue?.count ?? 0 >= 2
        }
        let refused = try #require(try await event())
        #expect(refused["state"] == "due" && refused["next_attempt_at"] != nil)
        let delivery = try #require(refused["deliveries"]?.arrayValue?.first)
        #expect(delivery["status"] == 503 && delivery["result"] == "refused" && delivery["answer"] == nil)
        // The path and the query, which may contain a key, are left out.
        #expect(delivery["endpoint"]?.stringValue.map(backend.url.hasPrefix) == true)
        #expect(delivery["endpoint"]?.stringValue?.split(separator: "/").count == 2)
        backend.answer(204)
        try await relay.program.wait(for: "the event") { try await event()?["state"] == "acknowledged" }
        #expect(try await event()?["id"]?.stringValue == backend.deliveries.last?.headers["webhook-id"])
        #expect(try await relay.get("/v1/payments/NONE/events").status == 404)
    }

    @Test("R5: the event of a payment is delivered after a crash before the first attempt")
    func anEventIsDeliveredAfterACrashBeforeTheFirstAttempt() async throws {
        let backend = try EventBackend(answering: 200)
        let settings = settings(for: backend)
        let relay = try await RunningRelay(settings.merging(["PAYRELAY_FAIL_POINT": "settled"]) { $1 })
        let reference = Orders.reference()
        _ = try? await relay.pay(Orders.body(reference).json)
        #expect(try await relay.program.end() == -SIGKILL)
        let next = try await RunningRelay(after: relay, settings)
        try await next.program.wait(for: "the event") { !backend.deliveries.isEmpty }
        #expect(backend.deliveries[0].body.contains(reference))
    }

    @Test func eventsOfAPaymentAreDeliveredInOrderAndResentOnDemand() async throws {
        let backend = try EventBackend(answering: 200)
        let relay = try await RunningRelay(settings(for: backend))
        let reference = Orders.reference()
        _ = try await relay.pay(Orders.body(reference).with(["command": "AUTHORIZATION"]))
        for (path, body) in [("capture", #"{"amount":4000}"#), ("refund", "{}")] {
            let answer = try await relay.post("/v1/payments/\(reference)/\(path)", Array(body.utf8))
            #expect(answer.status == 200, "\(String(decoding: answer.body, as: UTF8.self))")
        }
        let types = ["payment.authorized", "payment.partially_captured", "payment.refunded"]
        try await relay.program.wait(for: "the events") { backend.deliveries.count == types.count }
        #expect(try backend.deliveries.map { try JSON(parsing: $0.body)["type"]?.stringValue } == types)

        // A delivery counts once its answer is in the journal.
        func waitUntilDelivered() async throws {
            try await relay.program.wait(for: "their delivery") {
                try await relay.metric("payrelay_events_undelivered_payments") == 0
            }
        }
        let first = backend.deliveries
        try await waitUntilDelivered()
        let resent = try await RunningProgram.run(
            ["events", "resend", reference, "none"], environment: relay.environment)
        #expect(resent.status == 1 && resent.text.contains(#""none""#))
        try await relay.program.wait(for: "the events again") { backend.deliveries.count == 2 * types.count }
        #expect(backend.deliveries.suffix(types.count).map(\.body) == first.map(\.body))

        try await waitUntilDelivered()
        let all = try await RunningProgram.run(
            ["events", "resend", "--since", "2026-01-01"], environment: relay.environment)
        #expect(all.status == 0 && all.text.contains("sent again: 1"))
        try await relay.program.wait(for: "the events once more") { backend.deliveries.count == 3 * types.count }
        try await waitUntilDelivered()
        let deadLettered = try await RunningProgram.run(["events", "resend"], environment: relay.environment)
        #expect(deadLettered.status == 0 && deadLettered.text.contains("taken up again: 0"))
        let wrong = try await RunningProgram.run(
            ["events", "resend", "--since", "yesterday"], environment: relay.environment)
        #expect(wrong.status == 64)
    }

    @Test("R15: a backend that never answers delays neither payments nor the stop")
    func aSilentBackendDelaysNeitherPaymentsNorTheStop() async throws {
        let backend = try EventBackend(answering: nil)
        let relay = try await RunningRelay(settings(for: backend))
        #expect(try await relay.pay(Orders.body().json).outcome == "captured")
        try await relay.program.wait(for: "the event") { !backend.deliveries.isEmpty }
        #expect(try await relay.pay(Orders.body().json).outcome == "captured")
        relay.program.signal(SIGTERM)
        #expect(try await relay.program.end() == 0)
    }

    /// There are more payments than deliveries in flight.
    @Test("R15: an event that the backend does not answer delays those of no other payment")
    func anUnansweredDeliveryDelaysNoOtherPaymentsEvents() async throws {
        let backend = try EventBackend(answering: 200)
        let relay = try await RunningRelay(
            settings(for: backend).merging(["PAYRELAY_EVENTS_TIMEOUT_SECONDS": "60"]) { $1 })
        let hanging = Orders.reference()
        backend.hang(on: hanging)
        #expect(try await relay.pay(Orders.body(hanging).json).outcome == "captured")
        try await relay.program.wait(for: "the event that hangs") { !backend.deliveries.isEmpty }
        let others = try (0..<40).map { _ in try Orders.body().json }
        try await withThrowingTaskGroup { group in
            for order in others { group.addTask { _ = try await relay.pay(order) } }
            try await group.waitForAll()
        }
        try await relay.program.wait(for: "the others") {
            backend.deliveries.count { $0.status == 200 } == others.count
        }
        #expect(try await relay.metric(#"payrelay_event_attempts_total{result="unanswered"}"#) == 0)
        #expect(backend.deliveries.filter { $0.status == nil }.allSatisfy { $0.body.contains(hanging) })
    }

    @Test("S3: a redirect of an event is not followed")
    func aRedirectedDeliveryIsARefusalAndIsNotFollowed() async throws {
        let backend = try EventBackend(answering: 307)
        let relay = try await RunningRelay(settings(for: backend, keys: [Self.keys[0]]))
        _ = try await relay.pay(Orders.body().json)
        try await relay.program.wait(for: "a second attempt") { backend.deliveries.count >= 2 }
        #expect(backend.deliveries.allSatisfy { $0.headers["request"]?.contains("/elsewhere") == false })
        #expect(backend.deliveries.allSatisfy { $0.headers["webhook-signature"]?.contains(" ") == false })
    }

    @Test func withoutAnEventsURLNothingIsRecordedOrResent() async throws {
        let relay = try await RunningRelay()
        _ = try await relay.pay(Orders.body().json)
        #expect(try await relay.metric("payrelay_events_undelivered_payments") == nil)
        let resent = try await RunningProgram.run(["events", "resend"], environment: relay.environment)
        #expect(resent.status == 78 && resent.text.contains("PAYRELAY_EVENTS_URL"))
    }

    /// Whether a delivery passes a receiver's checks by Standard Webhooks.
    private static func isSigned(_ delivery: EventBackend.Delivery, with key: String) throws -> Bool {
        let identifier = try #require(delivery.headers["webhook-id"])
        let timestamp = try #require(delivery.headers["webhook-timestamp"])
        try #require(Int(timestamp).map { abs(Date().timeIntervalSince1970 - Double($0)) < 300 } == true)
        let content = Data("\(identifier).\(timestamp).\(delivery.body)".utf8)
        let key = SymmetricKey(data: try #require(Data(base64Encoded: key)))
        let signatures = try #require(delivery.headers["webhook-signature"]).split(separator: " ")
        return signatures.contains { signature in
            guard signature.hasPrefix("v1,"), let code = Data(base64Encoded: String(signature.dropFirst(3))) else {
                return false
            }
            return HMAC<SHA256>.isValidAuthenticationCode(code, authenticating: content, using: key)
        }
    }
}
