import Foundation
import OutboundHTTP
import TestPrograms
import Testing

/// A gateway charges and does not answer (amount 10408), and the relay ends meanwhile.
@Suite struct CrashAndStopTests {
    @Test(
        "R10: a charge without an answer is uncertain, and a query to the gateway ends it",
        arguments: TestedGateway.allCases)
    func aTimeoutIsUncertainAndSettlesByItself(at gateway: TestedGateway) async throws {
        let relay = try await RunningRelay(
            gateways: [gateway], ["PAYRELAY_FORT_TIMEOUT_SECONDS": "5", "PAYRELAY_PORTMONE_TIMEOUT_SECONDS": "5"])
        let reference = Orders.reference()
        let answer = try await relay.pay(try Orders.body(reference, amount: 10_408, at: gateway).json)
        #expect(answer.status == 202)
        #expect(answer.outcome == "uncertain")
        #expect(answer.header("Location") == "/v1/payments/\(reference)")
        #expect(try await relay.finalOutcome(of: reference) == "captured")
        #expect(try await relay.sandbox.charges(of: reference, at: gateway) == 1)
    }

    @Test("R5: a crash between the charge and its answer loses nothing", arguments: TestedGateway.allCases)
    func aCrashBetweenTheChargeAndItsAnswerLosesNothing(at gateway: TestedGateway) async throws {
        let relay = try await RunningRelay(gateways: [gateway])
        let reference = Orders.reference()
        let body = try Orders.body(reference, amount: 10_408, at: gateway).json
        async let unanswered = try? relay.pay(body)
        try await relay.program.wait(for: "the charge") {
            try await relay.sandbox.charges(of: reference, at: gateway) == 1
        }
        relay.program.signal(SIGKILL)
        #expect(try await relay.program.end() == -SIGKILL)
        #expect(await unanswered == nil)

        let restarted = try await RunningRelay(after: relay, gateways: [gateway])
        #expect(try await restarted.finalOutcome(of: reference) == "captured")
        let replay = try await restarted.pay(body)
        #expect(replay.outcome == "captured")
        #expect(replay.header("Idempotent-Replayed") == "true")
        #expect(try await relay.sandbox.charges(of: reference, at: gateway) == 1)
    }

    @Test("R6: a stop waits for the charge under way")
    func aStopWaitsForTheChargeThatIsUnderWay() async throws {
        let relay = try await RunningRelay(["PAYRELAY_FORT_TIMEOUT_SECONDS": "5"])
        let reference = Orders.reference()
        let body = try Orders.body(reference, amount: 10_408).json
        async let answer = relay.pay(body)
        try await relay.program.wait(for: "the charge") { try await relay.sandbox.charges(of: reference) == 1 }
        relay.program.signal(SIGTERM)
        #expect(try await answer.outcome == "uncertain")
        #expect(try await relay.program.end() == 0)

        let restarted = try await RunningRelay(after: relay)
        #expect(try await restarted.finalOutcome(of: reference) == "captured")
    }

    @Test("R6: a stop journals a charge whose client has disconnected")
    func aStopJournalsTheChargeWhoseClientHasDisconnected() async throws {
        let relay = try await RunningRelay(["PAYRELAY_FORT_TIMEOUT_SECONDS": "5"])
        let reference = Orders.reference()
        let body = try Orders.body(reference, amount: 10_408).json
        let caller = Task { try await relay.pay(body) }
        try await relay.program.wait(for: "the charge") { try await relay.sandbox.charges(of: reference) == 1 }
        caller.cancel()
        relay.program.signal(SIGTERM)
        #expect(try await relay.program.end() == 0)
        #expect(relay.program.text.contains("\"outcome\":\"uncertain\""))
    }

    @Test func aStopDoesNotWaitForIdleConnections() async throws {
        let relay = try await RunningRelay([
            "PAYRELAY_HTTP_HEAD_TIMEOUT_SECONDS": "3600", "PAYRELAY_HTTP_IDLE_TIMEOUT_SECONDS": "3600",
            "PAYRELAY_STOP_SECONDS": "600",
        ])
        let untouched = try RawConnection(port: relay.port)
        let keptAlive = try RawConnection(port: relay.port)
        keptAlive.send("GET /v1/payments/none HTTP/1.1\r\nHost: localhost\r\n\r\n")
        #expect(keptAlive.read(until: "}").hasPrefix("HTTP/1.1 404"))
        relay.program.signal(SIGTERM)
        #expect(try await relay.program.end() == 0)
        #expect(untouched.read() == "" && keptAlive.read() == "")
    }

    @Test func aStopCutsOffAClientThatNeverEndsItsRequest() async throws {
        let relay = try await RunningRelay([
            "PAYRELAY_HTTP_BODY_TIMEOUT_SECONDS": "3600", "PAYRELAY_STOP_SECONDS": "6",
        ])
        let stalled = try RawConnection(port: relay.port)
        stalled.send(
            "POST /v1/payments HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{"
        )
        // An answer on another connection shows that the relay has read the earlier bytes.
        _ = try await relay.get("/v1/payments/none")
        relay.program.signal(SIGTERM)
        #expect(try await relay.program.end() == 0)
        withExtendedLifetime(stalled) {}
    }
}
