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
                Open http://127.0.0.1:\(relay)/ to pay on a checkout page. The sandbox's books: http://127.0.0.1:\(sandbox)/_sandbox/orders.
                To pay from a shell, paste this (each paste mints a new token and a new order):

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
