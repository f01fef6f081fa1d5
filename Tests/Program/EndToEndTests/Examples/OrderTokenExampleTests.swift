import Foundation
import OutboundHTTP
import PayrelayPrimitives
import TestPrograms
import Testing

/// The relay accepts the order tokens of each program in Examples/order-tokens.
@Suite struct OrderTokenExampleTests {
    private static let swift = ExampleProgram(runtime: nil, command: [RunningProgram.built("OrderTokenExample").path])
    private static let node = example("node", ["node"], "node/order-token.mjs")
    private static let php = example("php", ["php"], "php/order-token.php")
    private static let java = example("java", ["java"], "java/OrderToken.java")
    private static let python = example("python3", ["python3"], "python/order_token.py")

    private static func example(_ runtime: String, _ launcher: [String], _ path: String) -> ExampleProgram {
        ExampleProgram(runtime: runtime, command: launcher + [Project.url("Examples/order-tokens/\(path)").path])
    }

    @Test("Tokens of the example in Swift are taken", arguments: ["ES256", "HS256"])
    func swiftTokens(algorithm: String) async throws { try await expectTokensAreTaken(of: Self.swift, algorithm) }

    @Test(
        "Tokens of the example in Node are taken", .enabled(if: node.isRunnable, "node is not on the PATH"),
        arguments: ["ES256", "HS256"])
    func nodeTokens(algorithm: String) async throws { try await expectTokensAreTaken(of: Self.node, algorithm) }

    @Test("Tokens of the example in PHP are taken", .enabled(if: php.isRunnable, "php is not on the PATH"))
    func phpTokens() async throws { try await expectTokensAreTaken(of: Self.php) }

    @Test("Tokens of the example in Java are taken", .enabled(if: java.isRunnable, "java is not on the PATH"))
    func javaTokens() async throws { try await expectTokensAreTaken(of: Self.java) }

    @Test("Tokens of the example in Python are taken", .enabled(if: python.isRunnable, "python3 is not on the PATH"))
    func pythonTokens() async throws { try await expectTokensAreTaken(of: Self.python) }

    private func expectTokensAreTaken(of example: ExampleProgram, _ algorithm: String = "HS256") async throws {
        let folder = try TemporaryFolder()
        let key = try await OrderTokenKeyFiles(algorithm, in: folder)
        let relay = try await RunningRelay(["PAYRELAY_JWT_KEYS_FILE": key.relay])
        let reference = Orders.reference()
        let order: JSONObject = [
            "command": "PURCHASE", "merchant_reference": .string(reference), "amount": 10_000, "currency": "AED",
            "order_description": "طلب 7 / it's #1", "customer_name": #"S'ara \ سارة"#,
            // The relay does not read this claim, so it may contain characters that no field of FORT's allows.
            "note": .string("\"قال\" \\\"/\\\" </script> \u{1F4B3}\u{2028}\n\u{7F}"),
        ]
        let issued = try await example.run(["ORDER_TOKEN_KEY_FILE": key.backend], input: order.json)
        try #require(issued.succeeded, "\(issued.text)")

        let verified = try await RunningProgram.run(
            ["order-token", "verify", "-", "--keys", key.relay, "--json"], input: issued.text)
        let verdict = try JSON(parsing: verified.text)
        #expect(verified.status == 0 && verdict["can_pay"] == true, "\(verified.text)")
        let claims = verdict["claims"]?.arrayValue ?? []
        for member in order.members {
            let claim = claims.first { $0["name"]?.stringValue == member.name }
            #expect(claim?["value"] == member.value, "\(member.name)")
        }
        let remaining = try #require(
            verdict["expires_in"].flatMap { Int(String(decoding: $0.encoded(), as: UTF8.self)) })
        #expect((1...300).contains(remaining))

        let other = try await relay.pay(Orders.phoneBody(reference, amount: 1).json, bearing: issued.text)
        #expect(other.status == 403 && other.faultyFields == ["amount"])
        let paid = try await relay.pay(Orders.phoneBody(reference).json, bearing: issued.text)
        #expect(paid.outcome == "captured", "\(paid.json ?? .null)")

        // The order cannot choose a token's lifetime or audience: the example's own claims are used, or the relay refuses the
        // token.
        let greedy = order.with(["exp": 4_000_000_000, "aud": "another"])
        let another = try await example.run(["ORDER_TOKEN_KEY_FILE": key.backend], input: greedy)
        let own = try await RunningProgram.run(
            ["order-token", "verify", "-", "--keys", key.relay, "--json"], input: another.text)
        let said = try JSON(parsing: own.text)
        let isRefused = said["refusal"]?.stringValue?.contains("not a JSON object") == true
        #expect(isRefused || said["accepted"] == true && !another.text.isEmpty, "\(own.text)")
    }
}
