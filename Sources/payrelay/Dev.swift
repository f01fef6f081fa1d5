import ApplePayToken
import ArgumentParser
import FortAPI
import FortSandbox
import HTTPListener
import Logging
import Composition
import ServiceLifecycle
import TokenMint

struct Dev: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Run the relay and a FORT sandbox together, to develop an app against.",
        discussion: "Payments are kept in memory. Nothing here touches real money.")

    @Option(help: "The relay's port, on loopback.")
    var port: Port = 8080

    @Option(help: "The port for operators, on loopback.")
    var adminPort: Port = 8081

    @Option(help: "The sandbox's port, on loopback.")
    var sandboxPort: Port = 8082

    @OptionGroup var feedback: FeedbackOptions

    func run() async throws {
        let telemetry = Telemetry.bootstrap(logLevel: .info)
        let program = CommandLine.arguments.first ?? "payrelay"
        let development = try Development(
            httpPort: port.number, adminPort: adminPort.number, sandboxPort: sandboxPort.number,
            telemetry: telemetry
        ) { relay, sandbox in
            say(
                """
                The relay listens at http://127.0.0.1:\(relay), the sandbox at http://127.0.0.1:\(sandbox)/_sandbox/orders.
                To pay, paste this (each paste mints a new token and a new order):

                curl -s http://127.0.0.1:\(relay)/v1/payments -H 'Content-Type: application/json' -d '{
                  "command": "PURCHASE", "merchant_reference": "ORDER-'$(date +%s)'", "amount": 10000, "currency": "AED",
                  "language": "en", "customer_email": "sara@example.com",
                  "token": '"$(\(program) token mint --amount 10000 --currency AED)"' }'

                """)
        }
        development.sandbox.feedback = feedback.settings
        try await ServiceGroup(stoppingOnSignals: [development], logger: telemetry.logger).run()
    }
}

/// A relay and a sandbox in one process, connected over loopback. `dev` and `demo` run it.
struct Development: Service {
    let sandbox: FortSandbox
    let httpPort: Int
    let adminPort: Int
    let sandboxPort: Int
    let telemetry: Telemetry
    /// Called with the relay's port and the sandbox's once both accept connections.
    let onListening: @Sendable (_ relay: Int, _ sandbox: Int) async -> Void

    init(
        httpPort: Int, adminPort: Int, sandboxPort: Int, telemetry: Telemetry,
        onListening: @escaping @Sendable (_ relay: Int, _ sandbox: Int) async -> Void
    ) throws {
        sandbox = FortSandbox(accounts: FortAccounts(try SandboxAccount.fortAccount()))
        self.httpPort = httpPort
        self.adminPort = adminPort
        self.sandboxPort = sandboxPort
        self.telemetry = telemetry
        self.onListening = onListening
    }

    func run() async throws {
        let (ports, listening) = AsyncStream.makeStream(of: Int.self)
        let fort = FortSandboxService(sandbox, port: sandboxPort, logger: telemetry.logger) { port in
            listening.yield(port)
            listening.finish()
        }
        // A graceful stop reaches both; a failure of one cancels the other.
        try await withThrowingTaskGroup { group in
            group.addTask { try await fort.run() }
            group.addTask {
                for await port in ports { try await relay(to: port).run() }
            }
            try await group.waitForAll()
        }
    }

    private func relay(to sandboxPort: Int) throws -> RelayService {
        let configuration = RelayConfiguration(
            http: .init(host: "127.0.0.1", port: httpPort), admin: .init(host: "127.0.0.1", port: adminPort),
            fortEndpoint: try FortEndpoint("http://127.0.0.1:\(sandboxPort)/FortAPI/paymentApi"),
            fortAccounts: sandbox.accounts,
            tokenVerifier: TokenVerifier(anchor: try SandboxPKI.published.anchor()),
            journal: .memory)
        return RelayService(configuration: configuration, telemetry: telemetry) { port in
            await onListening(port, sandboxPort)
        }
    }
}
