import CommandLineParts
import ApplePayToken
import ArgumentParser
import Foundation
import Logging
import OutboundHTTP
import PayrelayAPI
import PayrelayPrimitives
import SandboxParts
import Composition
import ServiceLifecycle
import TokenMint

struct Demo: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Watch one payment go through: real HTTP, a real chain, a real signature, a gateway that checks it.",
        discussion: "Runs a relay and a sandbox on free ports, pays once, prints each step and ends.")

    func run() async throws {
        let telemetry = Telemetry.bootstrap(logLevel: .error)
        let (addresses, listening) = AsyncStream.makeStream(of: Int.self)
        let development = try Development(httpPort: 0, adminPort: 0, sandboxPort: 0, telemetry: telemetry) { ports, _ in
            listening.yield(ports.relay)
            listening.finish()
        }
        let group = ServiceGroup(stoppingOnSignals: [development], logger: telemetry.logger)
        async let running: Void = {
            // Where the start fails, nothing will listen.
            defer { listening.finish() }
            try await group.run()
        }()
        var isCaptured = false
        for await port in addresses {
            isCaptured = try await DemoPayment(development: development, port: port).run()
        }
        await group.triggerGracefulShutdown()
        try await running
        if !isCaptured { throw ExitCode(ExitStatus.no.rawValue) }
    }
}

/// One payment over HTTP, printed step by step. Everything printed is what was sent and received.
struct DemoPayment {
    let development: Development
    /// The relay's port.
    let port: Int

    private var gateway: any SandboxOnDesk.Type { type(of: development.gateways[0].sandbox) }

    /// - Returns: whether the money was captured.
    func run() async throws -> Bool {
        say(
            "1. A phone authorizes 100.00 AED. The token it makes (minted here, with the sandbox's root in Apple's place):"
        )
        let token = try TokenMint().mint(TokenContents(amount: 10_000, currency: "AED"), signedAt: Date())
        show(token)

        say("2. The checks that the relay makes on it:")
        let verifier = TokenVerifier(anchor: try SandboxPKI.published.anchor())
        for check in verifier.verify(try PaymentToken(json: token), at: .instant(Date())).checks {
            let name = check.name.rawValue.padding(toLength: 20, withPad: " ", startingAt: 0)
            say("   \(check.verdict.sign)  \(name) \(check.detail)")
        }

        say(
            "\n3. The app sends it to POST http://127.0.0.1:\(port)/v1/payments. What the relay sends to \(gateway.title):"
        )
        let answer = try await pay(with: token)
        show(try JSON(parsing: development.lastRequest(to: gateway.name) ?? "null"))

        say("4. What the app gets (HTTP \(answer.status)):")
        show(try JSON(parsing: answer.body))

        say("5. What took how long in the relay, in milliseconds:")
        say("   \(answer.header("Server-Timing") ?? "not reported")\n")

        let outcome = try? PaymentDocument(parsing: answer.body).outcome
        say("outcome: \(outcome?.rawValue ?? "none")")
        return outcome == .captured
    }

    private func pay(with token: JSON) async throws -> OutboundAnswer {
        var order = Order(
            "DEMO-\(UInt32.random(in: .min ... .max))", amount: 10_000, currency: .AED,
            customerEmail: "sara@example.com")
        order.customerName = "Sara"
        order.orderDescription = "A demonstration"
        let client = OutboundClient()
        defer { client.shutdown() }
        return try await client.send(
            OutboundRequest(
                url: "http://127.0.0.1:\(port)/v1/payments",
                headers: [(name: "Content-Type", value: "application/json")],
                body: order.body(with: AppleToken(json: token)))
        ).get()
    }

    private func show(_ json: JSON) {
        for line in json.shortened().formatted().lines { say("   \(line)") }
        say()
    }
}

extension JSON {
    /// Returns a copy with long texts cut.
    fileprivate func shortened() -> JSON {
        switch self {
        case .string(let text) where text.count > 64: .string("\(text.prefix(40))… (\(text.count) characters)")
        case .array(let elements): .array(elements.map { $0.shortened() })
        case .object(let object): .object(JSONObject(object.members.map { ($0.name, $0.value.shortened()) }))
        default: self
        }
    }
}
