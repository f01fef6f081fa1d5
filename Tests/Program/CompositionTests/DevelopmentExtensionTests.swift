import ApplePayToken
import FortAPI
import FortModule
import HTTPListener
import Logging
import Observability
import OutboundHTTP
import PayrelayPrimitives
import RelayServer
import Settings
import Testing

@testable import Composition

/// Development features can only be added to a relay whose FORT is the sandbox of the same process.
@Suite struct DevelopmentExtensionTests {
    private func relay(to endpoint: GatewayEndpoint, ofSandboxAt port: Int) throws {
        let account = try FortAccount(
            accessCode: "a", merchantIdentifier: "m", requestPhrase: Secret("p"), responsePhrase: Secret("p"))
        let configuration = try RelayConfiguration(
            modules: [FortModule(accounts: FortAccounts(account), endpoint: endpoint)])
        let development = DevelopmentExtension(
            sandboxes: [SandboxAddress(port: port, path: "/FortAPI/paymentApi")], routes: [],
            simulatorTokens: SimulatorTokens { _ in [:] })
        let telemetry = Telemetry(
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, metrics: MetricsRegistry(), spans: nil)
        _ = try RelayService(configuration: configuration, telemetry: telemetry, development: development)
    }

    @Test(
        "the iOS Simulator's token is refused if FORT is not the sandbox of the process",
        arguments: [
            GatewayEndpoint.fortProduction.url, GatewayEndpoint.fortTest.url,
            "https://127.0.0.1:8082/FortAPI/paymentApi",
            // A tunnel to FORT could listen at each of these addresses.
            "http://127.0.0.1:8083/FortAPI/paymentApi", "http://127.0.0.2:8082/FortAPI/paymentApi",
            "http://localhost:8082/FortAPI/paymentApi", "http://[::1]:8082/FortAPI/paymentApi",
            "http://127.0.0.1:8082/FortAPI/paymentApi/", "http://127.0.0.1:8082/",
        ])
    func anotherFortIsRefused(url: String) throws {
        let endpoint =
            switch url {
            case GatewayEndpoint.fortProduction.url: GatewayEndpoint.fortProduction
            case GatewayEndpoint.fortTest.url: GatewayEndpoint.fortTest
            default: try GatewayEndpoint(url)
            }
        #expect(throws: NotTheSandbox(endpoint: endpoint)) { try relay(to: endpoint, ofSandboxAt: 8082) }
    }

    @Test("a relay whose FORT is the sandbox of its process can be extended")
    func theSandboxIsTaken() throws {
        try relay(to: SandboxAddress(port: 8082, path: "/FortAPI/paymentApi").endpoint, ofSandboxAt: 8082)
    }
}
