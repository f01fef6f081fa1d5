import Foundation
import OutboundHTTP
import PayrelayPrimitives
import TestPrograms
import Testing

/// A FORT that accepts connections and never answers, for many times its timeout, under steady load.
@Suite struct HangingFortTests {
    private struct Answer {
        let status: Int
        let problem: String?
    }

    /// Runs clients that pay these orders repeatedly, each with a pause after an answer. A busy machine has fewer payments, and
    /// not more in flight.
    private func load(_ relay: RunningRelay, with orders: [JSON], rounds: Int) async throws -> [Answer] {
        let callers = 10
        return try await withThrowingTaskGroup { group in
            for caller in 0..<callers {
                group.addTask {
                    var answers: [Answer] = []
                    for round in 0..<rounds {
                        let answer = try await relay.pay(orders[(round * callers + caller) % orders.count])
                        answers.append(Answer(status: answer.status, problem: answer.problem))
                        try await Task.sleep(for: .milliseconds(400))
                    }
                    return answers
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
    }

    /// There are more open payments than queries in flight.
    @Test("R15: payments that FORT does not answer delay the reconciliation of no other")
    func paymentsThatFortHangsOnDelayNoOtherOpenPayments() async throws {
        let relay = try await RunningRelay([
            "PAYRELAY_FORT_TIMEOUT_SECONDS": "300", "PAYRELAY_FORT_CIRCUIT_BREAKER_FAILURES": "1000",
        ])
        try await relay.waitUntilVerified()
        let hanging = 4
        try await relay.sandbox.set(
            "faults",
            [
                "faults": [
                    ["fault": "reset", "command": "PURCHASE"],
                    ["fault": "never_answer", "command": "CHECK_STATUS", "count": JSON(hanging)],
                ]
            ])
        // FORT makes these charges, and its answers are lost.
        let orders = try (0..<45).map { _ in try Orders.body().json }
        try await withThrowingTaskGroup { group in
            for order in orders { group.addTask { _ = try await relay.pay(order) } }
            try await group.waitForAll()
        }
        try await relay.program.wait(for: "the others") {
            try await relay.metric("payrelay_payments_open") == hanging
        }
        // None of the unanswered queries has ended meanwhile.
        #expect(try await relay.metric(#"payrelay_reconciliations_total{result="open"}"#) == 0)
    }

    @Test("R15: clients' queries to FORT leave slots to payments, even if there are few slots")
    func questionsOfClientsLeavePlacesToPayments() async throws {
        let relay = try await RunningRelay([
            "PAYRELAY_FORT_REQUESTS_IN_FLIGHT_MAX": "8", "PAYRELAY_FORT_TIMEOUT_SECONDS": "300",
        ])
        let reference = Orders.reference()
        #expect(try await relay.pay(Orders.body(reference).json).outcome == "captured")
        try await relay.sandbox.set("faults", ["faults": [["fault": "never_answer", "command": "CHECK_STATUS"]]])
        try await withThrowingTaskGroup(of: String?.self) { group async throws in
            for _ in 1...18 {
                group.addTask { try? await relay.post("/v1/payments/\(reference)/sync", []).problem }
            }
            // One query is under way, and as many calls wait as may wait: one of the 18 calls is refused.
            #expect(try await group.next() == "too-busy")
            #expect(try await relay.pay(Orders.body().json).outcome == "captured")
            group.cancelAll()
        }
    }

    @Test func aSilentFORTUnderLoadGrowsNeitherMemoryNorOpenFiles() async throws {
        let fort = try AnsweringFort.silent()
        let relay = try await RunningRelay(
            fort.settings.merging([
                "PAYRELAY_FORT_TIMEOUT_SECONDS": "1", "PAYRELAY_FORT_REQUESTS_IN_FLIGHT_MAX": "8",
                "PAYRELAY_FORT_CIRCUIT_BREAKER_FAILURES": "3",
            ]) { $1 })
        try await relay.waitUntilVerified()
        let orders = try (1...40).map { _ in try Orders.body().json }
        // By then, FORT's timeouts have opened the circuit breaker.
        let early = try await load(relay, with: orders, rounds: 10)
        try await relay.program.wait(toPrint: "circuit breaker open")
        let (memory, files) = (try relay.program.residentBytes, try relay.program.openFiles)
        let uncertain = try #require(try await relay.metric("payrelay_payments_open"))
        #expect((1...16).contains(uncertain))

        let late = try await load(relay, with: orders, rounds: 35)
        // Payments that were sent are answered with their state. The others are not sent, and get 503.
        for answer in early + late {
            #expect(answer.status == 202 || answer.status == 503 || answer.status == 409)
            if answer.status == 503 { #expect(answer.problem == "processor-unreachable") }
        }
        #expect(late.count { $0.status == 503 } > late.count / 2)
        #expect(try await relay.metric("payrelay_payments_open") == uncertain)
        #expect(try relay.program.residentBytes < memory + memory / 2)
        #expect(try relay.program.openFiles <= files + 32)
        #expect(try await relay.metric("payrelay_http_requests_under_way") == 0)
    }
}
