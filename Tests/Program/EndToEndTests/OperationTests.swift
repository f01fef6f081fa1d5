import Foundation
import OutboundHTTP
import PayrelayPrimitives
import Testing

/// Capture, void and refund over HTTP, against the sandbox's books.
@Suite struct OperationTests {
    @Test func anAuthorizationIsCapturedInPartsAndRefundedInParts() async throws {
        let relay = try await RunningRelay()
        let reference = try await authorize(at: relay)
        let first = try await relay.perform(reference, "capture", ["amount": 4_000])
        #expect(first.status == 200 && first.outcome == "partially_captured")
        #expect(first.json?["response_code"] == "04000" && first.json?["captured_amount"] == 4_000)
        let rest = try await relay.perform(reference, "capture")
        #expect(rest.outcome == "captured" && rest.json?["amount"] == 6_000)
        let refund = try await relay.perform(
            reference, "refund", ["amount": "2500", "currency": "AED", "maintenance_reference": "R-1"])
        #expect(refund.outcome == "partially_refunded" && refund.json?["maintenance_reference"] == "R-1")
        #expect(try await relay.perform(reference, "refund").outcome == "refunded")

        let shown = try await relay.get("/v1/payments/\(reference)")
        #expect(shown.outcome == "refunded")
        #expect(shown.json?["captured_amount"] == 10_000 && shown.json?["refunded_amount"] == 10_000)
        #expect(shown.json?["operations"]?.arrayValue?.count == 4)
        let order = try #require(try await relay.sandbox.books().first)
        #expect(order["captured_amount"] == 10_000 && order["refunded_amount"] == 10_000)
        #expect(order["captures"] == 2 && order["refunds"] == 2)
    }

    @Test func theAnswerToThePaymentStaysAsItWasGiven() async throws {
        let relay = try await RunningRelay()
        let order = try Orders.body()
        let paid = try await relay.pay(order.json)
        _ = try await relay.perform(order["merchant_reference"]?.stringValue ?? "", "refund")
        let again = try await relay.pay(order.json)
        #expect(again.body == paid.body && again.header("Idempotent-Replayed") == "true")
    }

    @Test func anAuthorizationIsVoidedOnceAndNothingCanBeCapturedAfterwards() async throws {
        let relay = try await RunningRelay()
        let reference = try await authorize(at: relay)
        let voided = try await relay.perform(reference, "void")
        #expect(voided.outcome == "voided" && voided.json?["response_code"] == "08000")
        let again = try await relay.perform(reference, "void")
        #expect(again.body == voided.body && again.header("Idempotent-Replayed") == "true")
        let refused = try await relay.perform(reference, "capture")
        #expect(refused.status == 409 && refused.problem == "not-allowed")
    }

    @Test func moreThanIsLeftIsRefusedBeforeARequestToFORT() async throws {
        let relay = try await RunningRelay()
        let reference = try await authorize(at: relay)
        let refused = try await relay.perform(reference, "capture", ["amount": 10_001])
        #expect(refused.status == 409 && refused.problem == "not-allowed")
        #expect(refused.json?["detail"]?.stringValue?.contains("100.00 AED") == true)
        #expect(try await relay.sandbox.books().first?["captures"] == 0)
    }

    @Test("R1: identical concurrent captures capture once")
    func theSameRequestManyTimesAtOnceCapturesOnce() async throws {
        let relay = try await RunningRelay()
        let reference = try await authorize(at: relay)
        let answers = try await withThrowingTaskGroup { group in
            for _ in 0..<50 {
                group.addTask { try await relay.perform(reference, "capture", ["amount": 1_000], key: "k") }
            }
            return try await group.reduce(into: [OutboundAnswer]()) { $0.append($1) }
        }
        #expect(answers.allSatisfy { $0.status == 200 || $0.problem == "in-flight" })
        #expect(Set(answers.filter { $0.status == 200 }.map(\.body)).count == 1)
        #expect(try await relay.sandbox.books().first?["captures"] == 1)
        let other = try await relay.perform(reference, "capture", ["amount": 1_001], key: "k")
        #expect(other.status == 422 && other.problem == "operation-taken")
        let second = try await authorize(at: relay)
        let elsewhere = try await relay.perform(second, "capture", ["amount": 1_000], key: "k")
        #expect(elsewhere.status == 422 && elsewhere.problem == "operation-taken")
        let charge = try await relay.pay(try Orders.body().json, idempotencyKey: "k")
        #expect(charge.status == 422 && charge.problem == "idempotency-key-taken")
    }

    /// The sandbox carries out a capture of this amount and never answers.
    @Test("R10: a capture without an answer is uncertain until the totals show it")
    func aCaptureWithoutAnAnswerIsUncertainUntilTheTotalsShowIt() async throws {
        let relay = try await RunningRelay(["PAYRELAY_FORT_TIMEOUT_SECONDS": "15"])
        let reference = try await authorize(at: relay, amount: 50_000)
        let lost = try await relay.perform(reference, "capture", ["amount": 10_408])
        #expect(lost.status == 202 && lost.outcome == "uncertain")
        #expect(lost.header("Location") == "/v1/payments/\(reference)")
        #expect(lost.header("Retry-After") == "2")
        let asked = try await relay.post("/v1/payments/\(reference)/sync", [])
        #expect(asked.status == 200 || asked.header("Retry-After") == "2")
        #expect(try await relay.finalOutcome(of: reference) == "partially_captured")
        let again = try await relay.perform(reference, "capture", ["amount": 10_408])
        #expect(again.status == 200 && again.outcome == "partially_captured")
        #expect(try await relay.sandbox.books().first?["captures"] == 1)
    }

    /// The sandbox puts a capture of this amount on hold for ten seconds.
    @Test func aCaptureOnHoldIsUncertainUntilItIsSettled() async throws {
        let relay = try await RunningRelay()
        let reference = try await authorize(at: relay, amount: 50_000)
        let held = try await relay.perform(reference, "capture", ["amount": 10_020])
        #expect(held.status == 202 && held.outcome == "uncertain")
        #expect(try await relay.finalOutcome(of: reference) == "partially_captured")
        #expect(try await relay.sandbox.books().first?["captured_amount"] == 10_020)
    }

    @Test func everyValidationErrorIsNamed() async throws {
        let relay = try await RunningRelay()
        let reference = try await authorize(at: relay)
        let refused = try await relay.perform(
            reference, "capture", ["amount": .number("1.5"), "colour": "red", "currency": 7])
        #expect(refused.status == 400 && Set(refused.faultyFields) == ["amount", "colour", "currency"])
        let currency = try await relay.perform(reference, "capture", ["currency": "USD"])
        #expect(currency.status == 400 && currency.faultyFields == ["currency"])
        let long = String(repeating: "r", count: 201)
        let name = try await relay.perform(reference, "refund", ["maintenance_reference": .string(long)])
        #expect(name.status == 409 || name.faultyFields == ["maintenance_reference"])
        #expect(try await relay.perform("nobody", "capture").status == 404)
    }

    private func authorize(at relay: RunningRelay, amount: Int = 10_000) async throws -> String {
        let reference = Orders.reference()
        let answer = try await relay.pay(Orders.body(reference, amount: amount).with(["command": "AUTHORIZATION"]))
        try #require(answer.outcome == "authorized")
        return reference
    }
}

extension RunningRelay {
    func perform(
        _ reference: String, _ verb: String, _ body: JSONObject = [:], key: String? = nil
    ) async throws -> OutboundAnswer {
        try await post(
            "/v1/payments/\(reference)/\(verb)", JSON.object(body).encoded(),
            headers: key.map { [(name: "Idempotency-Key", value: $0)] } ?? [])
    }
}
