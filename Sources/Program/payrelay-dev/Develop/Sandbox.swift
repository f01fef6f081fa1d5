import ArgumentParser
import CommandLineParts
import Foundation
import HTTPListener
import Logging
import MasterpassSandbox
import Observability
import OutboundHTTP
import PayrelayPrimitives
import SandboxParts
import ServiceLifecycle
import TokenMint

struct Sandbox: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Run a sandbox of each gateway to test against.",
        discussion: """
            They check signatures, credentials and parameters, decrypt sandbox tokens, refuse a reference used twice, and \
            keep books: \(books). Amounts that do more than succeed: 10012, 10029, 10666 \
            and 10785 are declined; 10006 is a technical problem; 10020 is on hold for ten seconds; 15777 is charged but \
            not confirmed; 10408 is charged and never answered. More, and faults on request: docs/sandbox.md.

            With --masterpass-port there is the wallet that the Masterpass SDK's calls are developed against, too: \
            docs/portmone-sdk.md.

            With --session-port it is Apple's session host as well, with mutual TLS: Apple Pay on the web can be tried \
            without a merchant identity certificate of Apple's.
            """)

    @Option(help: "The port to listen at, on loopback.")
    var port: Port = 8082

    @Option(
        help: "A relay's YAML file: the sandboxes know the accounts that it lists, in place of their own ones.",
        completion: .file())
    var config: String?

    @Option(
        help: ArgumentHelp("How long after its signing time a token is accepted.", valueName: "duration"),
        transform: { try TimeSpan(parsing: $0) })
    var tokenLifetime: TimeSpan = "5m"

    @Option(help: "The port at which Apple's session host listens, on loopback.")
    var sessionPort: Port?

    @Option(help: "A folder for a new ca.pem of the session host, and a new merchant.pem and merchant.key.")
    var sessionCertificates: String?

    @Option(help: "The port at which the Masterpass wallet's sandbox listens, on loopback.")
    var masterpassPort: Port?

    @Option(
        help:
            "A relay's address, for example http://127.0.0.1:8080: it gets the gateways' messages. None is sent without."
    )
    var relay: String?

    @Flag(help: .hidden)
    var untilInputEnds = false

    func validate() throws {
        guard sessionPort == nil || sessionCertificates != nil else {
            throw UsageError("--session-port needs --session-certificates")
        }
        guard sessionCertificates == nil || sessionPort != nil else {
            throw UsageError("--session-certificates needs --session-port")
        }
        if let relay {
            guard !relay.ends(with: "/") else { throw UsageError("--relay must not end in a slash: paths are added") }
            do throws(SecureURLError) {
                _ = try GatewayEndpoint(relay)
            } catch {
                throw UsageError("--relay \(relay) \(error)")
            }
        }
        _ = try tokenLifetime.wholeSeconds("--token-lifetime", in: 1...604_800)
    }

    func run() async throws {
        if untilInputEnds { endWithInput() }
        let logger = LineLogHandler.bootstrap(level: .warning)
        let gateways = try GatewaySandboxes.make(config: config, tokenLifetime: tokenLifetime.value / .seconds(1))
        if let relay {
            for gateway in gateways { try gateway.sendMessages(to: relay) }
        }
        let root = try SandboxRoot.file()
        let service = SandboxService(gateways.map(\.sandbox), port: port.number, logger: logger) { port in
            let exports = gateways.map { "# \(type(of: $0.sandbox).title)\n\($0.exports(at: port))" }
            say(
                """
                The sandboxes listen at http://\(SandboxAddress.host):\(port). To let a relay use them:

                \(exports.joined(separator: "\n"))
                export PAYRELAY_TOKEN_TRUST_ANCHOR_FILE=\(root)

                """)
        }
        var services: [any Service] = [service]
        if let sessionPort, let sessionCertificates {
            services.append(
                try SandboxSessionHost(folder: sessionCertificates).service(at: sessionPort, logger: logger))
        }
        if let masterpassPort {
            services.append(
                MasterpassSandboxService(MasterpassSandbox(), port: masterpassPort.number, logger: logger) { port in
                    say("The Masterpass wallet's sandbox listens at http://127.0.0.1:\(port).")
                })
        }
        do {
            try await ServiceGroup(stoppingOnSignals: services, logger: logger).run()
        } catch let error as ListenerFailure {
            throw failure(
                "\(error); --port, --session-port and --masterpass-port choose other ports", status: .no)
        }
    }

    private static var books: String {
        GatewaySandboxes.loaded.map { "\($0.name)'s at \($0.booksPath)" }.joined(separator: ", ")
    }
}

/// A simulated session host of Apple with its own certificates, for one merchant.
struct SandboxSessionHost {
    private let folder: String
    private let pki: SessionPKI
    private let merchantIdentifier = SandboxPKI.published.merchantIdentifier

    /// Mints the certificates and writes those that a relay needs.
    init(folder: String) throws {
        self.folder = absolutePath(folder)
        pki = try SessionPKI(merchantIdentifier: merchantIdentifier)
        do {
            try pki.write(to: folder)
        } catch {
            throw failure("\(folder) cannot be written to: \(error.localizedDescription)", status: .data)
        }
    }

    func service(at port: Port, logger: Logger) -> AppleSessionHostService {
        AppleSessionHostService(pki, port: port.number, logger: logger) { port in
            say(
                """
                Apple's session host listens. To let a relay use it:

                export PAYRELAY_APPLE_PAY_MERCHANT_IDENTIFIER=\(merchantIdentifier)
                export PAYRELAY_APPLE_PAY_DISPLAY_NAME=Sandbox
                export PAYRELAY_APPLE_PAY_DOMAINS=shop.example
                export PAYRELAY_APPLE_PAY_IDENTITY_CERTIFICATE_FILE=\(folder)/merchant.pem
                export PAYRELAY_APPLE_PAY_IDENTITY_KEY_FILE=\(folder)/merchant.key
                export PAYRELAY_APPLE_PAY_SESSION_HOST=127.0.0.1:\(port)
                export PAYRELAY_APPLE_PAY_SESSION_CA_FILE=\(folder)/ca.pem
                """)
        }
    }
}
