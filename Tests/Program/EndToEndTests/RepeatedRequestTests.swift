import Foundation
import OutboundHTTP
import PayrelayPrimitives
import TestPrograms
import Testing

/// Repeated requests: the same order, another order under the same reference, and the corrected order.
@Suite struct RepeatedRequestTests {
    /// The requests arrive together: the relay has all of them except their last bytes, which are then sent at once.
    @Test("R1: a thousand identical requests at once make one charge", arguments: TestedGateway.allCases)
    func aThousandIdenticalRequestsAtOnceMakeOneCharge(at gateway: TestedGateway) async throws {
        try #require(OpenFiles.allow(1_000))
        let relay = try await RunningRelay(
            gateways: [gateway],
            [
                "PAYRELAY_HTTP_REQUESTS_IN_FLIGHT_MAX": "1000", "PAYRELAY_HTTP_HEAD_TIMEOUT_SECONDS": "3600",
                "PAYRELAY_HTTP_BODY_TIMEOUT_SECONDS": "3600", "PAYRELAY_ANSWER_AFTER_SECONDS": "300",
                "PAYRELAY_FORT_TIMEOUT_SECONDS": "300",
            ].merging(gateway == .portmone ? ["PAYRELAY_PORTMONE_TIMEOUT_SECONDS": "300"] : [:]) { $1 })
        let reference = Orders.reference()
        let body = String(decoding: try Orders.body(reference, at: gateway).json.encoded(), as: UTF8.self)
        let request = """
            POST /v1/payments HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nConnection: close\r\n\
            Content-Length: \(body.utf8.count)\r\n\r\n\(body)
            """
        let connections = try (1...1_000).map { _ in try RawConnection(port: relay.port) }
        for connection in connections { connection.send(String(request.dropLast())) }
        try await relay.program.wait(for: "all of them") {
            try await relay.metric("payrelay_http_requests_under_way") == 1_000
        }
        #expect(try await relay.sandbox.books(of: gateway).isEmpty)
        for connection in connections { connection.send(String(request.suffix(1))) }

        let answers = connections.map { $0.read() }
        let paid = answers.filter { $0.hasPrefix("HTTP/1.1 200 ") }
        for answer in answers where !paid.contains(answer) {
            #expect(answer.hasPrefix("HTTP/1.1 409 ") && answer.contains("urn:payrelay:problem:in-flight"))
            #expect(answer.contains("Retry-After: 1\r\n"))
        }
        let receipts = Set(paid.compactMap { $0.components(separatedBy: "\r\n\r\n").last })
        #expect(receipts.count == 1)
        #expect(paid.count { !$0.contains("Idempotent-Replayed: ") } == 1)
        #expect(try JSON(parsing: receipts.first ?? "")["outcome"] == "captured")
        #expect(try await relay.sandbox.charges(of: reference, at: gateway) == 1)
        #expect(try await relay.sandbox.books(of: gateway).count == 1)
    }

    @Test(
        "R2: of two bodies that race for a reference one is sent and the other refused",
        arguments: TestedGateway.allCases)
    func aReferenceServesOneOfTwoBodiesThatRaceForIt(at gateway: TestedGateway) async throws {
        let relay = try await RunningRelay(gateways: [gateway])
        let reference = Orders.reference()
        let amounts = [10_000, 20_000]
        let bodies = try amounts.map { try Orders.body(reference, amount: $0, at: gateway).json }
        let answers = try await withThrowingTaskGroup { group in
            for number in 0..<40 {
                group.addTask { (amounts[number % 2], try await relay.pay(bodies[number % 2])) }
            }
            return try await group.reduce(into: [(Int, OutboundAnswer)]()) { $0.append($1) }
        }
        let charged = try await relay.sandbox.books(of: gateway)
        #expect(charged.count == 1)
        for (amount, answer) in answers {
            if charged.first?["amount"] == JSON(amount) {
                #expect(answer.status == 200 || answer.problem == "in-flight")
            } else {
                #expect(answer.status == 422 && answer.problem == "reference-taken")
            }
        }
    }

    /// A decline is stored just as a success is. Another attempt is a new order.
    @Test("R3: a replay is byte-identical, for a decline too", arguments: TestedGateway.allCases)
    func aReplayIsTheSameBytes(at gateway: TestedGateway) async throws {
        let relay = try await RunningRelay(gateways: [gateway])
        for (amount, outcome) in [(10_000, "captured"), (10_012, "declined")] {
            let body = try Orders.body(amount: amount, at: gateway).json
            let first = try await relay.pay(body)
            #expect(first.outcome == outcome)
            #expect(first.header("Idempotent-Replayed") == nil)
            let second = try await relay.pay(body)
            #expect(second.status == first.status)
            #expect(second.body == first.body)
            #expect(second.header("Idempotent-Replayed") == "true")
        }
    }

    @Test("R3: a replay is byte-identical after a restart")
    func aReplaySurvivesARestart() async throws {
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

    @Test(
        "R4: a refused request is not remembered, and the corrected one goes through", arguments: TestedGateway.allCases
    )
    func aRefusedRequestIsNotRemembered(at gateway: TestedGateway) async throws {
        let relay = try await RunningRelay(gateways: [gateway])
        let order = try Orders.body(at: gateway)
        let tampered = order.json.changing(["token", "paymentData", "data"]) { "AAAA" + $0.dropFirst(4) }

        let invalid = try await relay.pay(order.with(["customer_email": "nobody"]), idempotencyKey: "K1")
        #expect(invalid.status == 400)
        let refused = try await relay.pay(tampered, idempotencyKey: "K1")
        #expect(refused.status == 422 && refused.problem == "token-refused")
        #expect(refused.json?["check"] == "messageDigest")
        let corrected = try await relay.pay(order.json, idempotencyKey: "K1")
        #expect(corrected.status == 200 && corrected.outcome == "captured")
    }

    @Test("R13: a token pays one order only", arguments: TestedGateway.allCases)
    func aTokenPaysOneOrderOnly(at gateway: TestedGateway) async throws {
        let relay = try await RunningRelay(gateways: [gateway])
        let order = try Orders.body(at: gateway)
        #expect(try await relay.pay(order.json).status == 200)
        let again = try await relay.pay(order.with(["merchant_reference": .string(Orders.reference())]))
        #expect(again.status == 409 && again.problem == "token-used")
        #expect(try await relay.sandbox.books(of: gateway).count == 1)
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

    @Test func anIdempotencyKeyIsVisibleASCII() async throws {
        let relay = try await RunningRelay()
        for key in ["with space", "tab\there", "schl\u{FC}ssel", String(repeating: "k", count: 256)] {
            let answer = try await relay.pay(try Orders.body().json, idempotencyKey: key)
            #expect(answer.status == 400)
            #expect(answer.faultyFields == ["Idempotency-Key"], "\(key)")
        }
    }
}
