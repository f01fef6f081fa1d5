import FortAPI
import GatewayTestParts
import PayrelayPrimitives
import Testing

@testable import FortSandbox

/// A second attempt with the reference of a declined order.
@Suite struct AnotherTryTests {
    private func bench(takesAnotherTry: Bool = true) async throws -> SandboxBench {
        let bench = try SandboxBench()
        try await bench.sandbox.setReferences(["another_try_after_decline": .bool(takesAnotherTry)])
        return bench
    }

    /// Makes a payment with an amount that is declined.
    private func declined(_ bench: SandboxBench, _ reference: String) async throws -> FortAnswer {
        try await bench.send(bench.payment(reference, amount: 10_666))
    }

    @Test("By default a declined order uses its reference up")
    func aDeclinedOrderUsesItsReferenceUp() async throws {
        let bench = try SandboxBench()
        #expect(try await declined(bench, "A")["response_code"] == "13666")
        #expect(try await bench.send(bench.payment("A"))["response_code"] == "13007")
        #expect(await bench.sandbox.referencesAsJSON == ["another_try_after_decline": false])
    }

    @Test(
        "A declined attempt and a charged one are two orders with one reference, and CHECK_STATUS reports the charged one"
    )
    func aSecondTryIsChargedAndTold() async throws {
        let bench = try await bench()
        let first = try await declined(bench, "A")
        #expect(first["response_code"] == "13666")
        #expect(try await bench.send(bench.query("A"))["transaction_code"] == "13666")
        let second = try await bench.send(bench.payment("A"))
        #expect(second.class == .success && second.fortID != first.fortID)
        let found = try await bench.send(bench.query("A"))
        #expect(found.transactionState == .captured && found.fortID == second.fortID)
        #expect(found["captured_amount"] == "10000")
        #expect(await bench.sandbox.orders.map(\.isCharged) == [false, true])
    }

    @Test("FORT's number names one of several attempts, and none with another reference")
    func aNumberNamesOneTry() async throws {
        let bench = try await bench()
        let first = try await declined(bench, "A")
        let second = try await bench.send(bench.payment("A"))
        let other = try await bench.send(bench.payment("B"))
        for (answer, code) in [(first, "13666"), (second, "14000")] {
            let query = try FortRequest(statusOf: "A", fortID: answer.fortID)
            let found = try await bench.send(FortMessage(signing: query, for: bench.account))
            #expect(found["transaction_code"] == code && found.fortID == answer.fortID)
        }
        for (fortID, code) in [(first.fortID, "07034"), (other.fortID, "07036"), (second.fortID, "06000")] {
            let refund = try FortRequest(
                .refund, merchantReference: "A", amount: "1000", currency: "AED", fortID: fortID)
            let message = FortMessage(signing: refund, for: bench.account)
            #expect(try await bench.code(of: message.body) == code)
        }
        #expect(await bench.sandbox.orders.map(\.ledger.refunded) == [0, 1_000, 0])
    }

    @Test("A reference can be charged twice: the second charge is found by its number only, and refunded by it")
    func aReferenceIsChargedTwice() async throws {
        let bench = try SandboxBench()
        let first = try await bench.send(bench.payment("A", amount: 10_002))
        let orders = await bench.sandbox.orders
        #expect(orders.map(\.isCharged) == [true, true] && orders.map(\.merchantReference) == ["A", "A"])
        #expect(first.fortID == orders[0].fortID && orders[1].fortID != orders[0].fortID)
        #expect(try await bench.send(bench.query("A")).fortID == orders[0].fortID)
        let query = try FortRequest(statusOf: "A", fortID: orders[1].fortID)
        let second = try await bench.send(FortMessage(signing: query, for: bench.account))
        #expect(second.transactionState == .captured && second["captured_amount"] == "10002")
        let refund = try FortRequest(
            .refund, merchantReference: "A", amount: "1000", currency: "AED", fortID: orders[1].fortID)
        #expect(try await bench.code(of: FortMessage(signing: refund, for: bench.account).body) == "06000")
        #expect(await bench.sandbox.orders.map(\.ledger.refunded) == [0, 1_000])
        #expect(try await bench.send(bench.payment("A"))["response_code"] == "13007")
    }

    @Test("After a charge, every further attempt with the reference is a duplicate")
    func aChargeEndsTheTries() async throws {
        let bench = try await bench()
        for _ in 0..<3 { #expect(try await declined(bench, "A")["response_code"] == "13666") }
        #expect(try await bench.send(bench.payment("A")).class == .success)
        #expect(try await declined(bench, "A")["response_code"] == "13007")
        #expect(try await bench.send(bench.payment("A"))["response_code"] == "13007")
        #expect(await bench.sandbox.orders.count == 4)
        #expect(try await bench.send(bench.query("A")).transactionState == .captured)
    }

    @Test("A hundred attempts at once make one charge")
    func oneOfManyIsCharged() async throws {
        let bench = try await bench()
        _ = try await declined(bench, "A")
        let payments = try (0..<100).map { _ in try bench.payment("A") }
        try await withThrowingTaskGroup { group in
            for payment in payments { group.addTask { _ = try await bench.send(payment) } }
            try await group.waitForAll()
        }
        #expect(await bench.sandbox.orders.count(where: \.isCharged) == 1)
    }

    @Test("If the books drop an earlier attempt, the later attempt with its reference stays")
    func forgettingAnEarlierTryKeepsTheLater() async throws {
        let small = try SandboxBench(orderLimit: 3)
        try await small.sandbox.setReferences(["another_try_after_decline": true])
        _ = try await declined(small, "A")
        _ = try await small.send(small.payment("A"))
        _ = try await small.send(small.payment("B"))
        _ = try await small.send(small.payment("C"))
        #expect(try await small.send(small.query("A")).transactionState == .captured)
    }

    @Test("The setting is put, shown and taken away over HTTP")
    func settingsOverHTTP() async throws {
        let bench = try SandboxBench()
        try await RunningSandbox.with(bench.sandbox) { base in
            let path = "\(base)/_sandbox/references"
            let put = try await HTTP.send(.put, path, #"{"another_try_after_decline": true}"#)
            #expect(put.status == 200 && put.json == ["another_try_after_decline": true])
            for body in ["[]", #"{"another_try_after_decline": 1}"#, #"{"another": true}"#] {
                let refused = try await HTTP.send(.put, path, body)
                #expect(refused.status == 400 && refused.json?["errors"]?.arrayValue?.count == 1, "\(body)")
            }
            #expect(try await HTTP.send(.get, path).json == ["another_try_after_decline": true])
            #expect(try await HTTP.send(.delete, path).status == 204)
            #expect(try await HTTP.send(.get, path).json == ["another_try_after_decline": false])
        }
    }
}
