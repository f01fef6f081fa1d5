public import ArgumentParser
import CommandLineParts
import Composition
import Foundation
import HTTPListener
import Logging
public import Observability
import PaymentRelay
import PayrelayPrimitives
import RelayServer
import ServiceLifecycle

struct Dev: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Run the relay and the sandboxes of its gateways together, to develop an app against.",
        discussion: """
            Serves a checkout page. Payments are kept in memory. Nothing here touches real money. See docs/development.md.

            An order token is checked if one is sent, with the keys of the page and of --order-token-keys.

            With --host a phone on the same network can pay too: over TLS, with a certificate authority that is made once for this \
            machine, and with an API key or order tokens only.
            """)

    @Option(help: "A name or an address of this machine, for a phone on its network; without it, loopback only.")
    var host: String?

    @Option(
        help:
            "The folder of the certificate authority that phones trust, made if it is missing; ~/.payrelay-dev otherwise."
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

    @Option(name: .customLong("events-url"), help: "Your backend's URL: the relay sends its signed events there.")
    var eventsURL: String?

    @Option(
        help: "With --events-url: a file with the events' secret, whsec_…; a new one otherwise, which is printed.",
        completion: .file())
    var eventsSecretFile: String?

    @Option(help: "The form of the log: text or json.")
    var logFormat: LogForm = .text

    func validate() throws {
        guard host != nil || requireOrderTokens || apiKeyFile == nil else {
            throw UsageError("--api-key-file is for --host and --require-order-tokens")
        }
        guard eventsURL != nil || eventsSecretFile == nil else {
            throw UsageError("--events-secret-file is for --events-url")
        }
        if let eventsURL {
            do throws(SecureURLError) {
                _ = try WebhookURL(eventsURL)
            } catch {
                throw UsageError("--events-url \(eventsURL) \(error)")
            }
        }
    }

    func run() async throws {
        let network = try host.map {
            try DevelopmentNetwork(host: $0, certificates: certificates ?? DevelopmentCertificates.defaultFolder)
        }
        let access = network != nil || requireOrderTokens ? try DevelopmentAccess(keyFile: apiKeyFile) : nil
        let events = try eventsURL.map { try DevelopmentEvents(url: $0, secretFile: eventsSecretFile) }
        // Holds the log back, so that it follows the instructions.
        LogQueue.standardError.hold()
        let telemetry = Telemetry.bootstrap(logLevel: .info, logForm: logFormat)
        let development = try Development(
            httpPort: port.number, adminPort: adminPort.number, sandboxPort: sandboxPort.number, network: network,
            access: access, orderTokenKeys: try orderTokenKeys.map { try readVerificationKeys(from: $0) } ?? [],
            events: events?.settings, telemetry: telemetry
        ) { [ignored = Self.ignoredVariables] ports, keys in
            say(
                DevelopmentInstructions(
                    network: network, access: access, events: events, ports: ports, operatorKeys: keys
                ).text)
            if !ignored.isEmpty {
                telemetry.logger.warning(
                    "dev has settings of its own, and ignores these of the environment",
                    metadata: ["ignored": "\(ignored.joined(separator: ","))"])
            }
            LogQueue.standardError.release()
        }
        do {
            try await ServiceGroup(stoppingOnSignals: [development], logger: telemetry.logger).run()
        } catch let error as ListenerFailure {
            // The other listeners log that they stop, which says nothing about the port.
            LogQueue.standardError.dropHeld()
            throw failure("\(error); --port, --admin-port and --sandbox-port choose other ports", status: .no)
        }
    }

    /// The names of settings in the environment, which are ignored. They may be for a `payrelay serve` in the
    /// same shell.
    private static var ignoredVariables: [String] {
        ProcessInfo.processInfo.environment.keys
            .filter { $0.begins(with: "PAYRELAY_") && !FailPoint.isSetting($0) }.sorted()
    }
}

extension LogForm: ExpressibleByArgument {}
