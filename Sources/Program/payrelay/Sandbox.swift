import PayrelayPrimitives
import CommandLineParts
import OutboundHTTP
import ArgumentParser
import FortAPI
import FortModule
import FortSandbox
import MasterpassSandbox
import PortmoneSandbox
import Foundation
import Logging
import Composition
import Observability
import ServiceLifecycle
import Settings
import TokenMint

struct Sandbox: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Run a sandbox of FORT and of Portmone to test against.",
        discussion: """
            It checks signatures, credentials and parameters, decrypts sandbox tokens, refuses a reference used twice, and \
            signs its answers. Its books are at /_sandbox/orders. Amounts that do more than succeed: 10012, 10029, 10666 \
            and 10785 are declined; 10006 is a technical problem; 10020 is on hold for ten seconds; 15777 is charged but \
            not confirmed; 10408 is charged and never answered. More, and faults on request: docs/sandbox.md.

            Portmone is at the same port, with books at /_sandbox/portmone/bills. With --masterpass-port there is the wallet that \
            the Masterpass SDK's calls are developed against, too: docs/portmone-sdk.md.

            With --session-port it is Apple's session host as well, with mutual TLS: Apple Pay on the web can be tried \
            without a merchant identity certificate of Apple's.
            """)

    @Option(help: "The port to listen at, on loopback.")
    var port: Port = 8082

    @Option(
        help: "A relay's YAML file: the sandbox knows the FORT accounts that it lists, in place of its own one.",
        completion: .file())
    var config: String?

    @Option(help: "For how many seconds after its signing time a token is accepted.")
    var tokenLifetime = 300

    @Option(help: "The port at which Apple's session host listens, on loopback.")
    var sessionPort: Port?

    @Option(help: "A folder for a new ca.pem of the session host, and a new merchant.pem and merchant.key.")
    var sessionCertificates: String?

    @Option(help: "The port at which the Masterpass wallet's sandbox listens, on loopback.")
    var masterpassPort: Port?

    @OptionGroup var feedback: FeedbackOptions

    @Flag(help: .hidden)
    var untilInputEnds = false

    func validate() throws {
        guard (sessionPort == nil) == (sessionCertificates == nil) else {
            throw UsageError("--session-port and --session-certificates belong together")
        }
        guard tokenLifetime > 0 else { throw UsageError("--token-lifetime must be at least 1") }
    }

    func run() async throws {
        if untilInputEnds { endWithInput() }
        let logger = JSONLogHandler.bootstrap(level: .warning)
        let sandbox = FortSandbox(accounts: try accounts(), tokenLifetime: Double(tokenLifetime))
        sandbox.feedback = feedback.settings
        let ownAccount = config == nil ? SandboxAccount.exports : ""
        let portmone = PortmoneSandboxShop.sandbox()
        let service = FortSandboxService(sandbox, beside: [portmone], port: port.number, logger: logger) { address in
            say(
                """
                The FORT sandbox listens. To let a relay use it:

                export PAYRELAY_FORT_ENDPOINT=\(address.endpoint)
                \(ownAccount)export PAYRELAY_TOKEN_TRUST_ANCHOR_FILE=\(SandboxAccount.anchorFile)

                Portmone listens, too, for orders in UAH:

                \(PortmoneSandboxShop.exports(at: PortmoneSandbox.address(beside: address)))
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
        try await ServiceGroup(stoppingOnSignals: services, logger: logger).run()
    }

    private func accounts() throws -> FortAccounts {
        guard let config else { return FortAccounts(try SandboxAccount.fortAccount()) }
        do throws(ConfigurationError) {
            // The environment may hold another relay's settings, or the sandbox's own: the file alone is meant.
            var settings = SettingReader(try ConfigurationSources(environment: [:], file: config))
            guard let accounts = FortModule.accounts(&settings, isRequired: true), settings.errors.isEmpty else {
                throw ConfigurationError(errors: settings.errors)
            }
            return accounts
        } catch {
            throw failure(error.description, status: .configuration)
        }
    }
}

/// Apple's session host with certificates of its own, for one merchant.
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
