import Foundation
import OutboundHTTP
import PayrelayPrimitives
import TestPrograms
import Testing

/// The circuit breaker under load: clients get 503 at once, and payments go through once FORT answers again.
@Suite struct FortDownTests {
    private func pay(_ count: Int, _ relay: RunningRelay) async throws -> [OutboundAnswer] {
        try await withThrowingTaskGroup { group in
            for _ in 0..<count {
                group.addTask { try await relay.pay(Orders.body().json) }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }

    @Test func theCircuitBreakerOpensForASilentFORT() async throws {
        let fort = try AnsweringFort.silent()
        let relay = try await RunningRelay(
            fort.settings.merging([
                "PAYRELAY_FORT_TIMEOUT_SECONDS": "5", "PAYRELAY_FORT_REQUESTS_IN_FLIGHT_MAX": "4",
                "PAYRELAY_FORT_CIRCUIT_BREAKER_FAILURES": "3",
            ]) { $1 })
        // Four payments are sent. The others wait briefly for a slot and do not get one.
        let first = try await pay(20, relay)
        let sent = first.filter { $0.status == 202 }
        #expect((1...8).contains(sent.count))
        for answer in first where answer.status != 202 {
            #expect(answer.status == 503 && answer.problem == "processor-unreachable")
            #expect(answer.header("Retry-After") == "1")
        }
        #expect(sent.allSatisfy { $0.outcome == "uncertain" })
        try await relay.program.wait(toPrint: "circuit breaker open")
        // From now on nothing is sent at all, and a new payment does not wait for FORT.
        let later = try await pay(20, relay)
        #expect(later.allSatisfy { $0.status == 503 })
        for answer in later {
            #expect(answer.json?["detail"]?.stringValue?.contains("has not answered recently") == true)
        }
    }

    @Test func aRefusedPaymentGoesThroughOnceTheCircuitBreakerIsClosed() async throws {
        let fort = try LoopbackSocket()
        let relay = try await RunningRelay([
            "PAYRELAY_FORT_ENDPOINT": "http://127.0.0.1:\(fort.port)/FortAPI/paymentApi",
            "PAYRELAY_FORT_CIRCUIT_BREAKER_FAILURES": "3",
        ])
        let body = try Orders.body().json
        for _ in 1...5 {
            let refused = try await relay.pay(body)
            #expect(refused.status == 503 && refused.problem == "processor-unreachable")
        }
        try await relay.program.wait(toPrint: "circuit breaker open")

        let sandbox = try await RunningSandbox(port: fort.port)
        try await relay.program.wait(toPrint: "FORT circuit breaker closed")
        #expect(try await relay.pay(body).outcome == "captured")
        // The probe has charged nothing.
        #expect(try await sandbox.books().count == 1)
    }

    /// The uncertain payment gets its outcome without any new payments.
    @Test("R10: a payment that FORT did not answer settles once FORT answers again")
    func anUncertainPaymentSettlesOnceFORTAnswersAgain() async throws {
        let first = try await RunningSandbox()
        let fort = try AnsweringFort.silent(signingWith: first.settings["PAYRELAY_FORT_RESPONSE_PHRASE", default: ""])
        let relay = try await RunningRelay(
            sandbox: first,
            [
                "PAYRELAY_FORT_ENDPOINT": fort.endpoint, "PAYRELAY_FORT_TIMEOUT_SECONDS": "5",
                "PAYRELAY_FORT_CIRCUIT_BREAKER_FAILURES": "1", "PAYRELAY_NOT_FOUND_AFTER_SECONDS": "1",
            ])
        let reference = Orders.reference()
        #expect(try await relay.pay(Orders.body(reference).json).outcome == "uncertain")
        #expect(try await relay.pay(Orders.body().json).status == 503)
        fort.stop()
        let sandbox = try await RunningSandbox(port: fort.port)
        // The silent server charged nothing, and the sandbox has no such order.
        #expect(try await relay.finalOutcome(of: reference) == "not_processed")
        withExtendedLifetime(sandbox) {}
    }
}
