import ApplePayToken
import ArgumentParser
import CommandLineParts
import Composition
import Foundation
import Logging
import OutboundHTTP
import PayrelayAPI
import PayrelayPrimitives
import SandboxParts
import ServiceLifecycle
import TokenMint

struct Demo: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Watch one payment go through: real HTTP, a real chain, a real signature, a gateway that checks it.",
        discussion: """
            Runs a relay and a sandbox on free ports, pays once, sends the same request again, prints what happens and ends. Colours are \
            for a terminal, unless NO_COLOR is set.
            """)

    @Flag(help: "Print also what is sent and received, and each check of the token.")
    var verbose = false

    func run() async throws {
        let telemetry = Telemetry.bootstrap(logLevel: .error)
        let (addresses, listening) = AsyncStream.makeStream(of: Int.self)
        let development = try Development(httpPort: 0, adminPort: 0, sandboxPort: 0, telemetry: telemetry) { ports, _ in
            listening.yield(ports.relay)
            listening.finish()
        }
        let group = ServiceGroup(stoppingOnSignals: [development], logger: telemetry.logger)
        async let running: Void = {
            // If the start fails, no listener will report its port.
            defer { listening.finish() }
            try await group.run()
        }()
        var isCaptured = false
        for await port in addresses {
            isCaptured = try await DemoPayment(development: development, port: port, isVerbose: verbose).run()
        }
        await group.triggerGracefulShutdown()
        try await running
        if !isCaptured { throw ExitCode(ExitStatus.no.rawValue) }
    }
}

/// One payment over HTTP, shown step by step. Everything that is printed was really sent or received.
struct DemoPayment {
    let development: Development
    /// The relay's port.
    let port: Int
    /// Whether messages and checks are printed, too.
    let isVerbose: Bool

    private var gateway: any SandboxOnDesk.Type { type(of: development.gateways[0].sandbox) }

    /// Makes the payment and prints its steps.
    ///
    /// - Returns: whether the money was captured exactly once.
    func run() async throws -> Bool {
        say(styled: StyledText("One payment of 100.00 AED", .bold) + ", from the phone to \(gateway.title) and back\n")

        let minting = ContinuousClock.now
        let token = try TokenMint().mint(TokenContents(amount: 10_000, currency: "AED"), signedAt: Date())
        tell("phone", "Sara confirms 100.00 AED. Apple Pay signs a token for it", .now - minting)
        tell("", "(minted here: the sandbox's root is in Apple's place)", style: .faint)
        show(token)

        let order = order
        let body = order.body(with: AppleToken(json: token))
        let client = OutboundClient()
        defer { client.shutdown() }
        let sending = ContinuousClock.now
        let answer = try await pay(body, over: client)
        let duration = .now - sending
        tell("app", "sends it to the relay: POST /v1/payments, \(body.count) bytes")
        let checks = TokenVerifier(anchor: try SandboxPKI.published.anchor())
            .verify(try PaymentToken(json: token), at: .instant(Date())).checks
        let steps = ServerTiming(answer.header("Server-Timing") ?? "")
        let passed = checks.count { $0.verdict == .passed }
        tell(
            "relay", "verifies the token: \(passed) checks pass, Apple's signature among them",
            steps["verify"])
        show(checks)
        tell("", "claims the order in its journal, before anything is sent", steps["claim"])
        tell("", "signs the charge, sends it to \(gateway.title) once, verifies the answer", steps["charge"])
        show(try JSON(parsing: development.lastRequest(to: gateway.name) ?? "null"))
        tell("", "records the outcome, before anybody is told", steps["settle"])

        let document = try? PaymentDocument(parsing: answer.body)
        let view = (try? JSON(parsing: answer.body)) ?? .null
        let card = ["payment_option", "card_number"].compactMap { view[$0]?.stringValue }.joined(separator: " ")
        tell("app", "gets HTTP \(answer.status): \(document?.outcome.rawValue ?? "no outcome"), \(card)", duration)
        show(view)

        let repeating = ContinuousClock.now
        let again = try await pay(body, over: client)
        let isReplay = again.body == answer.body && again.header("Idempotent-Replayed") == "true"
        tell(
            "app", "loses the answer and asks again: the same \(again.body.count) bytes, no second charge",
            .now - repeating, style: isReplay ? nil : .red)

        let isCaptured = document?.outcome == .captured && isReplay
        let outcome = document?.outcome.rawValue ?? "none"
        say(styled: "\n" + StyledText("outcome: \(outcome)", isCaptured ? .green : .red))
        if !isVerbose {
            say(
                styled: StyledText(
                    "--verbose prints what was sent. payrelay-dev leaves both up, to try it yourself.", .faint))
        }
        return isCaptured
    }

    private var order: Order {
        var order = Order(
            "DEMO-\(UInt32.random(in: .min ... .max))", amount: 10_000, currency: .AED,
            customerEmail: "sara@example.com")
        order.customerName = "Sara"
        order.orderDescription = "A demonstration"
        return order
    }

    private func pay(_ body: [UInt8], over client: OutboundClient) async throws -> OutboundAnswer {
        try await client.send(
            OutboundRequest(
                url: "http://127.0.0.1:\(port)/v1/payments",
                headers: [(name: "Content-Type", value: "application/json")], body: body)
        ).get()
    }

    /// Prints a step: the actor, what happens, and how long it took.
    private func tell(_ actor: String, _ what: String, _ time: Duration? = nil, style: StyledText.Style? = nil) {
        var line = StyledText("  \(actor)".padding(toLength: 9, withPad: " ", startingAt: 0), .bold)
        line = line + StyledText(what, style)
        let padding = String(repeating: " ", count: max(1, 74 - what.count))
        if let time { line = line + StyledText(padding + time.shortText, .faint) }
        say(styled: line)
    }

    private func show(_ json: JSON) {
        guard isVerbose else { return }
        for line in json.shortened().formatted().lines { say("         \(line)") }
    }

    private func show(_ checks: [Check]) {
        guard isVerbose else { return }
        var table = TextTable(indentation: 9)
        for check in checks { table.add(check.verdict.sign, check.name.rawValue, check.detail) }
        say(table)
    }
}

/// The durations of a `Server-Timing` header field.
private struct ServerTiming {
    private let milliseconds: [String: Double]

    init(_ field: String) {
        var milliseconds: [String: Double] = [:]
        for metric in field.parts(at: ",") {
            let (name, parameter) = String(metric.trimmed).cut(at: ";")
            guard let value = parameter?.after("dur="), let number = Double(value) else { continue }
            milliseconds[String(name)] = number
        }
        self.milliseconds = milliseconds
    }

    subscript(name: String) -> Duration? { milliseconds[name].map { .microseconds(Int64($0 * 1_000)) } }
}

extension Duration {
    /// The duration as a right-aligned text, such as `0.4 ms`.
    fileprivate var shortText: String {
        let tenths = Int((self / .microseconds(100)).rounded())
        let text = "\(tenths / 10).\(tenths % 10) ms"
        return String(repeating: " ", count: max(0, 9 - text.count)) + text
    }
}

extension JSON {
    /// Returns a copy with long texts shortened.
    fileprivate func shortened() -> JSON {
        switch self {
        case .string(let text) where text.count > 64: .string("\(text.prefix(40))… (\(text.count) characters)")
        case .array(let elements): .array(elements.map { $0.shortened() })
        case .object(let object): .object(JSONObject(object.members.map { ($0.name, $0.value.shortened()) }))
        default: self
        }
    }
}
