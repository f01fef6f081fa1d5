import Foundation
import Primitives
import OutboundHTTP
import Testing

/// The same order again, another order under the same name, and the order after its mistake was corrected.
@Suite struct RepeatedRequestTests {
    @Test func aThousandIdenticalRequestsAtOnceMakeOneCharge() async throws {
        let relay = try await RunningRelay(["PAYRELAY_HTTP_REQUESTS_IN_FLIGHT_MAX": "1000"])
        let reference = Orders.reference()
        let body = try Orders.body(reference).json
        let answers = try await withThrowingTaskGroup { group in
            for _ in 1...1_000 { group.addTask { try await relay.pay(body) } }
            return try await group.reduce(into: [OutboundAnswer]()) { $0.append($1) }
        }
        #expect(answers.count == 1_000)
        for answer in answers where answer.status != 200 {
            #expect(answer.status == 409 && answer.problem == "in-flight")
            #expect(answer.header("Retry-After") == "1")
        }
        let paid = answers.filter { $0.status == 200 }
        #expect(Set(paid.map(\.body)).count == 1)
        #expect(paid.count { $0.header("Idempotent-Replayed") == nil } == 1)
        #expect(paid.first?.outcome == "captured")
        #expect(try await relay.sandbox.charges(of: reference) == 1)
        #expect(try await relay.sandbox.books().count == 1)
    }

    @Test func aReferenceServesOneOfTwoBodiesThatRaceForIt() async throws {
        let relay = try await RunningRelay()
        let reference = Orders.reference()
        let amounts = [10_000, 20_000]
        let bodies = try amounts.map { try Orders.body(reference, amount: $0).json }
        let answers = try await withThrowingTaskGroup { group in
            for number in 0..<40 {
                group.addTask { (amounts[number % 2], try await relay.pay(bodies[number % 2])) }
            }
            return try await group.reduce(into: [(Int, OutboundAnswer)]()) { $0.append($1) }
        }
        let charged = try await relay.sandbox.books()
        #expect(charged.count == 1)
        for (amount, answer) in answers {
            if charged.first?["amount"] == JSON(amount) {
                #expect(answer.status == 200 || answer.problem == "in-flight")
            } else {
                #expect(answer.status == 422 && answer.problem == "reference-taken")
            }
        }
    }

    /// A decline is remembered as well as a success: trying the card again is a new order.
    @Test(arguments: [(10_000, "captured"), (10_012, "declined")])
    func aReplayIsTheSameBytes(amount: Int, outcome: String) async throws {
        let relay = try await RunningRelay()
        let body = try Orders.body(amount: amount).json
        let first = try await relay.pay(body)
        #expect(first.outcome == outcome)
        #expect(first.header("Idempotent-Replayed") == nil)
        let second = try await relay.pay(body)
        #expect(second.status == first.status)
        #expect(second.body == first.body)
        #expect(second.header("Idempotent-Replayed") == "true")
    }

    @Test func aReplaySurvivesARestart() async throws {
        let relay = try await RunningRelay()
        let body = try Orders.body().json
        let first = try await relay.pay(body)
        relay.program.signal(SIGKILL)
        try await relay.program.end()
        let restarted = try await RunningRelay(after: relay)
        let second = try await restarted.pay(body)
        #expect(second.body == first.body)
        #expect(second.header("Idempotent-Replayed") == "true")
    }

    @Test func aRefusedRequestIsNotRemembered() async throws {
        let relay = try await RunningRelay()
        let order = try Orders.body()
        let tampered = order.json.changing(["token", "paymentData", "data"]) { "AAAA" + $0.dropFirst(4) }

        let invalid = try await relay.pay(order.with(["customer_email": "nobody"]), idempotencyKey: "K1")
        #expect(invalid.status == 400)
        let refused = try await relay.pay(tampered, idempotencyKey: "K1")
        #expect(refused.status == 422 && refused.problem == "token-refused")
        #expect(refused.json?["check"] == "messageDigest")
        let corrected = try await relay.pay(order.json, idempotencyKey: "K1")
        #expect(corrected.status == 200 && corrected.outcome == "captured")
    }

    @Test func aTokenPaysOneOrderOnly() async throws {
        let relay = try await RunningRelay()
        let order = try Orders.body()
        #expect(try await relay.pay(order.json).status == 200)
        let again = try await relay.pay(order.with(["merchant_reference": .string(Orders.reference())]))
        #expect(again.status == 409 && again.problem == "token-used")
        #expect(try await relay.sandbox.books().count == 1)
    }

    @Test func anIdempotencyKeyBelongsToOneOrder() async throws {
        let relay = try await RunningRelay()
        let order = try Orders.body().json
        let first = try await relay.pay(order, idempotencyKey: "key-1")
        #expect(first.status == 200)
        #expect(try await relay.pay(order, idempotencyKey: "key-1").body == first.body)
        let other = try await relay.pay(try Orders.body().json, idempotencyKey: "key-1")
        #expect(other.status == 422 && other.problem == "idempotency-key-taken")
        #expect(try await relay.sandbox.books().count == 1)
    }

    @Test(arguments: ["with space", "tab\there", "schl\u{FC}ssel", String(repeating: "k", count: 256)])
    func anIdempotencyKeyIsVisibleASCII(key: String) async throws {
        let relay = try await RunningRelay()
        let answer = try await relay.pay(try Orders.body().json, idempotencyKey: key)
        #expect(answer.status == 400)
        #expect(answer.faultyFields == ["Idempotency-Key"])
    }
}
