import ApplePayToken
import FortAPI
import HTTPListener
import Logging
import Observability
import PayrelayPrimitives
import RelayServer
import Testing

@testable import Composition
@testable import FortSandbox

/// What is for development alone cannot be added to a relay that pays with another FORT than the sandbox of its own process.
@Suite struct DevelopmentExtensionTests {
    private func relay(to endpoint: FortEndpoint, ofSandboxAt port: Int) throws {
        let account = try FortAccount(
            accessCode: "a", merchantIdentifier: "m", requestPhrase: Secret("p"), responsePhrase: Secret("p"))
        var configuration = try RelayConfiguration(fortAccounts: FortAccounts(account))
        configuration.fortEndpoint = endpoint
        let development = DevelopmentExtension(
            sandbox: SandboxAddress(port: port), routes: [], simulatorTokens: SimulatorTokens { _ in [:] })
        let telemetry = Telemetry(
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, metrics: MetricsRegistry(), spans: nil)
        _ = try RelayService(configuration: configuration, telemetry: telemetry, development: development)
    }

    @Test(
        "the iOS Simulator's token cannot be taken where FORT is another than the sandbox of the process",
        arguments: [
            FortEndpoint.production.url, FortEndpoint.test.url, "https://127.0.0.1:8082/FortAPI/paymentApi",
            // A tunnel to FORT could listen at each of these.
            "http://127.0.0.1:8083/FortAPI/paymentApi", "http://127.0.0.2:8082/FortAPI/paymentApi",
            "http://localhost:8082/FortAPI/paymentApi", "http://[::1]:8082/FortAPI/paymentApi",
            "http://127.0.0.1:8082/FortAPI/paymentApi/", "http://127.0.0.1:8082/",
        ])
    func anotherFortIsRefused(url: String) throws {
        let endpoint =
            switch url {
            case FortEndpoint.production.url: FortEndpoint.production
            case FortEndpoint.test.url: FortEndpoint.test
            default: try FortEndpoint(url)
            }
        #expect(throws: NotTheSandbox(endpoint: endpoint)) { try relay(to: endpoint, ofSandboxAt: 8082) }
    }

    @Test("a relay whose FORT is the sandbox of its process can be extended")
    func theSandboxIsTaken() throws {
        try relay(to: SandboxAddress(port: 8082).fortEndpoint, ofSandboxAt: 8082)
    }
}
