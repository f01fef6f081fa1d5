import CommandLineParts
import ArgumentParser
import Composition
import Foundation
import HTTPListener
import Logging
import ServiceLifecycle

struct Dev: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Run the relay and the sandboxes of its gateways together, to develop an app against.",
        discussion: """
            Serves a checkout page. Payments are kept in memory. Nothing here touches real money. See docs/development.md.

            An order token is checked where one is sent, with the keys of the page and of --order-token-keys.

            With --host a phone on the same network can pay too: over TLS, with a certificate authority that is made once for this \
            machine, and with an API key or order tokens only.
            """)

    @Option(help: "A name or an address of this machine, for a phone on its network; without it, loopback only.")
    var host: String?

    @Option(
        help:
            "The folder of the certificate authority that phones trust, made where it is missing; ~/.payrelay-dev otherwise."
    )
    var certificates: String?

    @Option(
        help: "The keys of your backend's order tokens, as PAYRELAY_JWT_KEYS_FILE.", completion: .file())
    var orderTokenKeys: String?

    @Flag(help: "Demand an order token or the API key, as --host does and production.")
    var requireOrderTokens = false

    @Option(
        help:
            "With --host or --require-order-tokens: a file with the API key, from `payrelay keys generate`; a new one otherwise.",
        completion: .file())
    var apiKeyFile: String?

    @Option(help: "The relay's port.")
    var port: Port = 8080

    @Option(help: "The port for operators, on loopback.")
    var adminPort: Port = 8081

    @Option(help: "The sandbox's port, on loopback.")
    var sandboxPort: Port = 8082

    private static var home: String { ProcessInfo.processInfo.environment["HOME"] ?? NSHomeDirectory() }

    func validate() throws {
        guard host != nil || requireOrderTokens || apiKeyFile == nil else {
            throw UsageError("--api-key-file is for --host and --require-order-tokens")
        }
    }

    func run() async throws {
        let network = try host.map {
            try DevelopmentNetwork(host: $0, certificates: certificates ?? Self.home + "/.payrelay-dev")
        }
        let access = network != nil || requireOrderTokens ? try DevelopmentAccess(keyFile: apiKeyFile) : nil
        let telemetry = Telemetry.bootstrap(logLevel: .info)
        let development = try Development(
            httpPort: port.number, adminPort: adminPort.number, sandboxPort: sandboxPort.number, network: network,
            access: access, orderTokenKeys: try orderTokenKeys.map { try readVerificationKeys(from: $0) } ?? [],
            telemetry: telemetry
        ) { ports, keys in
            say(DevelopmentInstructions(network: network, access: access, ports: ports, operatorKeys: keys).text)
        }
        do {
            try await ServiceGroup(stoppingOnSignals: [development], logger: telemetry.logger).run()
        } catch let error as ListenerFailure {
            throw failure("\(error); --port, --admin-port and --sandbox-port choose other ports", status: .no)
        }
    }
}
