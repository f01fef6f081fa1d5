import ApplePayToken
import FortAPI
import FortSandbox
import HTTPListener
import Logging
import Composition
import ServiceLifecycle
import TokenMint

/// A relay and a sandbox in one process, talking to each other over loopback. What `dev` and `demo` run.
struct Development: Service {
    let sandbox: FortSandbox
    let httpPort: Int
    let adminPort: Int
    let sandboxPort: Int
    let telemetry: Telemetry
    /// Told the relay's port and the sandbox's once both take connections.
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
