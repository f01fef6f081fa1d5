import Foundation
import OutboundHTTP
import PayrelayPrimitives
import TestPrograms
import Testing

/// On loopback, `payrelay-dev` accepts clients without credentials, but still reports a wrong order token to an app.
@Suite struct DevelopmentOrderTokenTests {
    private let issuer = TokenIssuer()
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func start(_ arguments: [String] = []) async throws -> RunningDevelopment {
        try await RunningDevelopment(["--order-token-keys", try issuer.file(in: folder)] + arguments)
    }

    private func order(_ reference: String) -> JSON {
        [
            "command": "PURCHASE", "merchant_reference": .string(reference), "amount": 10_000, "currency": "AED",
            "language": "en", "customer_email": "sara@example.com",
            "token": ["paymentData": "", "transactionIdentifier": "Simulated Identifier"],
        ]
    }

    @Test("an order token that is sent is checked, and nothing else has to be")
    func checkedWhereSent() async throws {
        let development = try await start()
        let wrong = [
            (try issuer.orderToken("A", amount: 1), 403), (try issuer.orderToken("B"), 403),
            (try issuer.orderToken("A") + "x", 401), (try TokenIssuer().orderToken("A"), 401),
            ("eyJhbGciOiJub25lIn0.e30.", 401),
        ]
        for (token, status) in wrong {
            #expect(try await development.post("/v1/payments", order("A"), headers: bearer(token)).status == status)
            #expect(try await development.get("/v1/payments/A", headers: bearer(token)).status != 200)
        }
        #expect(try await development.orders().isEmpty)

        let token = try issuer.orderToken("A")
        let paid = try await development.post("/v1/payments", order("A"), headers: bearer(token))
        #expect(paid.outcome == "captured" && paid.json?["processor_response"] == nil)
        #expect(try await development.get("/v1/payments/A", headers: bearer(token)).outcome == "captured")
        // Without a token, everything is shown: all members of the payment, and its exchanges.
        #expect(try await development.get("/v1/payments/A").json?["processor_response"] != nil)
        #expect(try await development.get("/_dev/exchanges/A").json?["exchanges"]?.arrayValue?.isEmpty == false)
        #expect(try await development.post("/v1/payments", order("C")).outcome == "captured")
        // An app that has no backend yet may send any word in place of a token.
        #expect(
            try await development.post("/v1/payments", order("D"), headers: bearer("any-word")).outcome == "captured")
    }

    @Test("a development relay that demands order tokens takes them and its key, under its own name, and nothing else")
    func demanded() async throws {
        let development = try await start(["--require-order-tokens"])
        let key = try #require(development.program.text.firstMatch(of: /payrelay_[A-Za-z0-9_-]{43}/)).output
        for headers in [[], bearer("any-word"), bearer(try issuer.orderToken("A") + "x")] {
            #expect(try await development.post("/v1/payments", order("A"), headers: headers).status == 401)
        }
        #expect(
            try await development.post("/v1/payments", order("B"), headers: bearer(issuer.orderToken("A"))).status
                == 403)
        #expect(try await development.orders().isEmpty)
        #expect(
            try await development.post("/v1/payments", order("A"), headers: bearer(issuer.orderToken("A"))).outcome
                == "captured")
        #expect(
            try await development.post("/v1/payments", order("B"), headers: bearer(String(key))).outcome == "captured")
        let rebound = bearer(String(key)) + [(name: "Host", value: "evil.example")]
        #expect(try await development.get("/v1/payments/A", headers: rebound).status == 421)
    }

    @Test("the printed commands work in another folder")
    func printedPaths() async throws {
        let key = try folder.file("key", "payrelay_" + String(repeating: "A", count: 43) + "\n")
        let relative = try #require(Self.relative(key))
        let development = try await start(["--require-order-tokens", "--api-key-file", relative])
        try await development.program.wait(toPrint: "$(cat \(key))")
        let mint = try #require(development.program.text.firstMatch(of: /\$\((\S+) token mint/)).output.1
        #expect(mint.hasPrefix("/"))
    }

    /// Returns the path relative to the current folder.
    private static func relative(_ path: String) -> String? {
        let depth = URL(filePath: FileManager.default.currentDirectoryPath).pathComponents.count - 1
        return String(repeating: "../", count: depth) + path.dropFirst()
    }
}
