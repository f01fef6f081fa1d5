import Foundation
import OutboundHTTP
import PayrelayPrimitives
import TestPrograms
import Testing

/// SIGTERM: drain, deadline and exit.
@Suite struct StopTests {
    @Test("a draining instance is not ready, still takes requests, and ends each connection with its next response")
    func aDrainingInstanceIsNotReadyAndStillTakesRequests() async throws {
        let relay = try await RunningRelay(["PAYRELAY_DRAIN_SECONDS": "300"])
        try await relay.waitUntilReady(true)
        relay.program.signal(SIGTERM)
        try await relay.program.wait(for: "the drain") { try await relay.admin("/ready").status == 503 }
        #expect(try await relay.admin("/ready").json?["status"] == "draining")
        #expect(try await relay.admin("/live").status == 200)
        let paid = try await relay.pay(Orders.body().json)
        #expect(paid.outcome == "captured")
        #expect(paid.header("Connection") == "close")
    }

    @Test func aDrainEnds() async throws {
        let relay = try await RunningRelay(["PAYRELAY_DRAIN_SECONDS": "1"])
        relay.program.signal(SIGTERM)
        #expect(try await relay.program.end() == 0)
    }

    @Test(
        "R6: a charge that outlives the stop deadline is journaled and answered as uncertain",
        arguments: TestedGateway.allCases)
    func aChargeBeyondTheStopDeadlineIsJournaledAndAnsweredAsUncertain(at gateway: TestedGateway) async throws {
        let relay = try await RunningRelay(
            gateways: [gateway],
            [
                "PAYRELAY_FORT_TIMEOUT_SECONDS": "300", "PAYRELAY_PORTMONE_TIMEOUT_SECONDS": "300",
                "PAYRELAY_STOP_SECONDS": "1",
            ])
        let reference = Orders.reference()
        let body = try Orders.body(reference, amount: 10_408, at: gateway).json
        async let answer = relay.pay(body)
        try await relay.program.wait(for: "the charge") {
            try await relay.sandbox.charges(of: reference, at: gateway) == 1
        }
        relay.program.signal(SIGTERM)
        #expect(try await relay.program.end(within: .seconds(250)) == 0)
        #expect(try await answer.status == 202)
        #expect(try await answer.outcome == "uncertain")

        let restarted = try await RunningRelay(after: relay, gateways: [gateway])
        #expect(try await restarted.finalOutcome(of: reference) == "captured")
        let history = try await restarted.get("/v1/payments/\(reference)").json?["history"]?.arrayValue
        #expect(history?.map { $0["outcome"]?.stringValue } == ["processing", "uncertain", "captured"])
        #expect(try await relay.sandbox.charges(of: reference, at: gateway) == 1)
    }

    @Test("R6: a stop under load loses no charge and makes no second one")
    func aStopUnderLoadLosesNothingAndMakesNoSecondCharge() async throws {
        let settings = [
            "PAYRELAY_FORT_TIMEOUT_SECONDS": "2", "PAYRELAY_PORTMONE_TIMEOUT_SECONDS": "2",
            "PAYRELAY_NOT_FOUND_AFTER_SECONDS": "2",
        ]
        let stopped = try await RunningRelay(gateways: TestedGateway.allCases, settings)
        let relay = CurrentRelay(stopped)
        async let paying = AnsweredOutcomes.byPayers(12, ordersEach: 8, over: TestedGateway.allCases, at: relay)
        try await stopped.program.wait(for: "payments") { try await stopped.sandbox.books().count >= 6 }
        stopped.program.signal(SIGTERM)
        #expect(try await stopped.program.end() == 0)
        relay.current = try await RunningRelay(after: stopped, gateways: TestedGateway.allCases, settings)
        let answered = try await paying
        #expect(answered.count == 12 * 8)
        try await Audit(relay: relay.current).compare(answered)
    }

    @Test func aStartDuringAnotherProcesssDrainNamesTheLock() async throws {
        let relay = try await RunningRelay(["PAYRELAY_DRAIN_SECONDS": "300"])
        relay.program.signal(SIGTERM)
        try await relay.program.wait(for: "the drain") { try await relay.admin("/ready").status == 503 }
        await #expect { try await RunningRelay(after: relay) } throws: { "\($0)".contains("another payrelay process") }
        #expect(try await relay.pay(Orders.body().json).outcome == "captured")
        relay.program.signal(SIGKILL)
        try await relay.program.end()
        let next = try await RunningRelay(after: relay)
        #expect(try await next.pay(Orders.body().json).outcome == "captured")
    }

    /// By default the signal ends a process.
    @Test func sighupWithoutAFileToReadAgainChangesNothing() async throws {
        let relay = try await RunningRelay()
        relay.program.signal(SIGHUP)
        try await relay.program.wait(toPrint: "SIGHUP changes nothing")
        #expect(try await relay.pay(Orders.body().json).outcome == "captured")
    }

    /// The health check connects to an address, and most certificates are for a name. It also accepts an expired certificate: a
    /// restart would not help, and a renewed certificate is used after SIGHUP.
    @Test(arguments: [3_600.0, -60])
    func healthcheckTakesAnyCertificateOfTheAdminListener(secondsLeft: Double) async throws {
        let folder = try TemporaryFolder()
        let certificate = try ServerCertificate(
            "admin", in: folder, address: [192, 0, 2, 1], validSince: Date() - 7_200, until: Date() + secondsLeft)
        let relay = try await RunningRelay([
            "PAYRELAY_ADMIN_TLS_CERTIFICATE_FILE": certificate.certificateFile,
            "PAYRELAY_ADMIN_TLS_KEY_FILE": certificate.keyFile,
        ])
        func expectHealthy(_ moment: String) async throws {
            let healthy = try await RunningProgram.run(["healthcheck", "--ready"], environment: relay.environment)
            #expect(healthy.status == 0, "\(moment): \(healthy.text)")
        }
        try await expectHealthy("at first")
        _ = try ServerCertificate("renewed", in: folder)
        for (file, new) in [("admin.pem", "renewed.pem"), ("admin-key.pem", "renewed-key.pem")] {
            try Data(contentsOf: folder.url.appending(path: new)).write(to: folder.url.appending(path: file))
            try await expectHealthy("with a new \(file), not reloaded")
        }
    }

    @Test func healthcheckReportsTheAdminListenersAnswer() async throws {
        let relay = try await RunningRelay(["PAYRELAY_DRAIN_SECONDS": "300"])
        let settings = ["PAYRELAY_ADMIN_PORT": "\(relay.adminPort)"]
        for arguments in [["healthcheck"], ["healthcheck", "--ready"]] {
            let (status, text) = try await RunningProgram.run(arguments, environment: settings)
            #expect(status == 0 && text.contains(arguments.count == 1 ? #""status":"live""# : #""status":"ready""#))
        }
        relay.program.signal(SIGTERM)
        try await relay.program.wait(for: "the drain") { try await relay.admin("/ready").status == 503 }
        let draining = try await RunningProgram.run(["healthcheck", "--ready"], environment: settings)
        #expect(draining.status == 1 && draining.text.contains("draining"))
        relay.program.signal(SIGKILL)
        try await relay.program.end()
        #expect(try await RunningProgram.run(["healthcheck"], environment: settings).status == 1)
        let wrong = try await RunningProgram.run(["healthcheck"], environment: ["PAYRELAY_ADMIN_PORT": "x"])
        #expect(wrong.status == 78 && wrong.text.contains("PAYRELAY_ADMIN_PORT"))
    }
}
