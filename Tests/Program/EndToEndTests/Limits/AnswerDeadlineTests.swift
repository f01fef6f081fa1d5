import Foundation
import OutboundHTTP
import PayrelayPrimitives
import Synchronization
import TestPrograms
import Testing

/// Apple's payment sheet gives up after about thirty seconds, and FORT may take longer. Clients are answered by the deadline.
@Suite struct AnswerDeadlineTests {
    @Test("R10: a payment beyond the answer deadline is uncertain and settles")
    func aPaymentBeyondTheAnswerDeadlineIsUncertainAndSettles() async throws {
        let issuer = TokenIssuer()
        let folder = try TemporaryFolder()
        let charges = Mutex(0)
        let mayAnswer = Mutex(false)
        let fort = try AnsweringFort { request in
            if request["command"] == "PURCHASE" { charges.withLock { $0 += 1 } }
            while !mayAnswer.withLock({ $0 }) { usleep(1_000) }
            return ["response_code": "14000", "status": "14"]
        }
        let relay = try await RunningRelay(
            fort.settings.merging([
                "PAYRELAY_ANSWER_AFTER_SECONDS": "5", "PAYRELAY_FORT_TIMEOUT_SECONDS": "300",
                "PAYRELAY_JWT_KEYS_FILE": issuer.file(in: folder),
            ]) { $1 })
        let reference = Orders.reference()
        let token = try issuer.orderToken(reference)
        let order = try Orders.phoneBody(reference).json
        let early = try await relay.pay(order, bearing: token)
        #expect(early.status == 202 && early.outcome == "uncertain")
        #expect(early.header("Location") == "/v1/payments/\(reference)")
        #expect(early.header("Retry-After").flatMap { Int($0) } ?? 0 > 0)
        #expect(early.header("Idempotent-Replayed") == nil)
        #expect(early.json?["reason"] == nil && early.json?["processor_response"] == nil)

        // Until FORT answers, the payment is in flight, both for the same request and for a GET.
        let again = try await relay.pay(order, bearing: token)
        #expect(again.status == 409 && again.problem == "in-flight" && again.header("Retry-After") != nil)
        let shown = try await relay.get("/v1/payments/\(reference)", headers: bearer(token))
        #expect(shown.status == 202 && shown.outcome == "processing" && shown.header("Retry-After") != nil)
        #expect(shown.header("Location") == "/v1/payments/\(reference)")

        mayAnswer.withLock { $0 = true }
        try await relay.program.wait(for: "the outcome") {
            try await relay.get("/v1/payments/\(reference)", headers: bearer(token)).status == 200
        }
        let replay = try await relay.pay(order, bearing: token)
        #expect(replay.status == 200 && replay.outcome == "captured")
        #expect(replay.header("Idempotent-Replayed") == "true")
        let history = try await relay.get("/v1/payments/\(reference)", headers: bearer(token)).json?["history"]
        #expect(history?.arrayValue?.map { $0["outcome"]?.stringValue } == ["processing", "captured"])
        #expect(charges.withLock { $0 } == 1)
        try await relay.program.wait(for: "the end of every request") {
            try await relay.metric("payrelay_http_requests_under_way") == 0
        }
    }

    /// A payment that continues after its answer is still in flight, so a stop waits for it.
    @Test("R6: a stop waits for a payment that was answered early")
    func aStopWaitsForAPaymentThatWasAnsweredEarly() async throws {
        let settings = ["PAYRELAY_ANSWER_AFTER_SECONDS": "5"]
        let relay = try await RunningRelay(settings)
        let slow: JSON = ["fault": "slow", "seconds": 20, "command": "PURCHASE"]
        try await relay.sandbox.set("faults", ["faults": [slow]])
        let reference = Orders.reference()
        #expect(try await relay.pay(Orders.body(reference).json).status == 202)
        relay.program.signal(SIGTERM)
        #expect(try await relay.program.end() == 0)
        let restarted = try await RunningRelay(after: relay, settings)
        let shown = try await restarted.get("/v1/payments/\(reference)")
        #expect(shown.status == 200 && shown.outcome == "captured")
        // The instance that took the payment recorded its outcome, and not the instance that started later.
        let history = shown.json?["history"]?.arrayValue
        #expect(history?.map { $0["outcome"]?.stringValue } == ["processing", "captured"])
    }

    /// The stop does not wait longer than for a request. Then it closes FORT's connection and journals the payment's state.
    @Test func aStopInterruptsAPaymentBeyondItsDeadline() async throws {
        let relay = try await RunningRelay([
            "PAYRELAY_ANSWER_AFTER_SECONDS": "5", "PAYRELAY_FORT_TIMEOUT_SECONDS": "300",
            "PAYRELAY_STOP_SECONDS": "1",
        ])
        let reference = Orders.reference()
        #expect(try await relay.pay(Orders.body(reference, amount: 10_408).json).status == 202)
        relay.program.signal(SIGTERM)
        #expect(try await relay.program.end(within: .seconds(250)) == 0)
        let restarted = try await RunningRelay(after: relay)
        #expect(try await restarted.finalOutcome(of: reference) == "captured")
        let history = try await restarted.get("/v1/payments/\(reference)").json?["history"]?.arrayValue
        #expect(history?.map { $0["outcome"]?.stringValue } == ["processing", "uncertain", "captured"])
        #expect(history?.dropFirst().first?["reason"] != "the relay had stopped before an answer")
        #expect(try await relay.sandbox.charges(of: reference) == 1)
    }

    /// The payment keeps its slot, so that early answers cannot accumulate payments in flight.
    @Test func aPaymentThatWasAnsweredEarlyKeepsItsSlotInFlight() async throws {
        let relay = try await RunningRelay([
            "PAYRELAY_ANSWER_AFTER_SECONDS": "5", "PAYRELAY_HTTP_REQUESTS_IN_FLIGHT_MAX": "2",
            "PAYRELAY_FORT_TIMEOUT_SECONDS": "300",
        ])
        for _ in 1...2 { #expect(try await relay.pay(Orders.body(amount: 10_408).json).status == 202) }
        let third = try await relay.pay(Orders.body().json)
        #expect(third.status == 503 && third.problem == "too-busy" && third.header("Retry-After") != nil)
        #expect(try await relay.metric("payrelay_http_requests_under_way") == 2)
    }
}
