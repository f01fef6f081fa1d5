import FortAPI
import FortSandbox
import GatewayTestParts
import OutboundHTTP
import PayrelayPrimitives
import PortmoneSandbox
import SandboxParts
import Testing

@Suite(.timeLimit(.minutes(25))) struct SharedListenerTests {
    @Test("FORT's sandbox and Portmone's answer at one port, each with its own books and faults")
    func oneListenerForBoth() async throws {
        let bench = PortmoneBench()
        let account = try FortAccount(
            accessCode: "A", merchantIdentifier: "M", requestPhrase: Secret("REQ"), responsePhrase: Secret("RES"))
        let fort = FortSandbox(accounts: FortAccounts(account))
        let payment = PortmoneBench.body("APay", try bench.payment("A"))
        try await RunningService.with { logger, onListening in
            SandboxService([fort, bench.sandbox], port: 0, logger: logger) { onListening($0) }
        } test: { port in
            let base = "http://127.0.0.1:\(port)"
            #expect(try await RunningPortmone.post(base + "/r3/api/gateway/", payment).status == 200)
            let answer = try await RunningPortmone.post(base + "/FortAPI/paymentApi", payment)
            #expect(try JSON(parsing: answer.body)["response_code"] == "00001")
            #expect(try await HTTP.send(.get, base + "/_sandbox/orders").json == [])
            #expect(try await HTTP.send(.get, base + "/_sandbox/portmone/bills").json?.arrayValue?.count == 1)
            let faults = #"{"faults": [{"fault": "garbage"}]}"#
            #expect(try await HTTP.send(.put, base + "/_sandbox/portmone/faults", faults).status == 200)
            #expect(fort.faults.rules.isEmpty && bench.sandbox.faults.rules.count == 1)
            #expect(try await RunningPortmone.post(base + "/FortAPI/paymentApi/", payment).status == 404)
        }
    }
}
