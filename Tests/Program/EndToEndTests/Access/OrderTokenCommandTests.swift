import Foundation
import OutboundHTTP
import PayrelayPrimitives
import TestPrograms
import Testing

/// `payrelay order-token`: its tokens can pay, and the relay refuses every order that the command refuses.
@Suite struct OrderTokenCommandTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func run(_ arguments: String..., input: String? = nil) async throws -> (status: Int32, text: String) {
        try await RunningProgram.run(["order-token"] + arguments, input: input)
    }

    @Test(
        "A token that the command signs with a key that it made pays its order and no other",
        arguments: ["ES256", "HS256"])
    func signedTokensPay(algorithm: String) async throws {
        let key = try await OrderTokenKeyFiles(algorithm, in: folder)
        let relay = try await RunningRelay(["PAYRELAY_JWT_KEYS_FILE": key.relay])
        let reference = Orders.reference()
        let token = try await key.sign(reference, "--claim", "order_description=طلب 7 / it's")
        let verdict = try await run("verify", token, "--keys", key.relay)
        #expect(verdict.status == 0, "\(verdict.text)")
        #expect(verdict.text.contains("\"طلب 7 / it's\"") && verdict.text.contains("shop may pay and read this order"))
        let other = try await relay.pay(Orders.phoneBody(reference, amount: 9_999).json, bearing: token)
        #expect(other.status == 403 && other.faultyFields == ["amount"])
        let paid = try await relay.pay(Orders.phoneBody(reference).json, bearing: token)
        #expect(paid.outcome == "captured", "\(paid.json ?? .null)")
    }

    @Test("The command and the relay refuse the same tokens, for the same reason")
    func refusalsAreTheRelays() async throws {
        let issuer = TokenIssuer()
        let keys = try issuer.file(in: folder)
        let relay = try await RunningRelay(["PAYRELAY_JWT_KEYS_FILE": keys])
        let now = Int(Date().timeIntervalSince1970)
        let reference = Orders.reference()
        let refused = try [
            issuer.orderToken(reference, claims: ["exp": JSON(now - 61)]),
            issuer.orderToken(reference, claims: ["exp": JSON(now + 86_000)]),
            issuer.orderToken(reference, claims: ["nbf": JSON(now + 250)]),
            issuer.orderToken(reference, claims: ["aud": "other"]),
            issuer.orderToken(reference, claims: ["amount": .number("100.00")]),
            issuer.orderToken(reference, claims: ["currency": .null]),
            issuer.orderToken(reference, claims: ["command": "REFUND"]),
            issuer.orderToken(reference, claims: ["client_id": "a b"]),
            TokenIssuer().orderToken(reference), TokenIssuer("k2").orderToken(reference),
            issuer.token(["merchant_reference": .string(reference), "amount": 1, "currency": "AED"], alg: "none"),
            "a.b.c",
        ]
        for token in refused {
            let answer = try await relay.pay(Orders.phoneBody(reference).json, bearing: token)
            let verdict = try await run("verify", token, "--keys", keys, "--json")
            let refusal = try #require(try JSON(parsing: verdict.text)["refusal"]?.stringValue)
            #expect(verdict.status == 1 && answer.status == 401)
            #expect(
                answer.json?["detail"]?.stringValue?.contains(refusal) == true, "\(refusal): \(answer.json ?? .null)")
        }
    }

    @Test("A token that the relay would refuse is not signed, and each reason is named")
    func whatTheRelayRefusesIsNotSigned() async throws {
        let key = try await OrderTokenKeyFiles(in: folder).backend
        let order = ["--merchant-reference", "ORDER-1001", "--amount", "100.00", "--currency", "AED"]
        let wrong: [(arguments: [String], reason: String)] = [
            (["--claim", "colour=red"], "colour pins nothing"), (["--claim", "amount=1"], "amount pins nothing"),
            (["--claim", "exp=1"], "exp pins nothing"), (["--claim", "eci"], "name=value"),
            (["--claim", "eci=ECOMMERCE", "--claim", "eci=ECOMMERCE"], "given twice"),
            (["--claim", "eci=x"], "eci must be ECOMMERCE"), (["--expires-in", "0s"], "exp must be 1 to 3600"),
            (["--expires-in", "3601s"], "exp must be 1 to 3600"), (["--amount", "01", "--minor"], "minor units"),
            (["--amount", "-1"], "Missing value"), (["--amount", "10.505"], "more than 2 decimals"),
            (["--expires-in", "300"], "300s, 300m or 1h"),
            (["--amount", "0"], "minor units"), (["--currency", "aed"], "ISO 4217"),
            (["--merchant-reference", ""], "merchant_reference is empty"),
            (["--merchant-reference", "a b"], "merchant_reference must not contain"),
            (["--client", "other"], "client_id is not the client of its key"),
            (["--scopes", "payments:manage"], "payments:manage"), (["--command", "REFUND"], "REFUND"),
            (["--claim", "merchant_extra=" + String(repeating: "x", count: 9_000)], "longer than 8192 bytes"),
        ]
        for (arguments, reason) in wrong {
            let (status, text) = try await RunningProgram.run(
                ["order-token", "sign", "--key", key] + order + arguments)
            #expect(status == 64, "\(arguments)")
            #expect(text.contains(reason) && !text.contains("eyJ"), "\(text)")
        }
    }

    @Test("A key that cannot be used ends with 65, and its text is not shown")
    func keysThatCannotBeUsed() async throws {
        let key = try await OrderTokenKeyFiles("HS256", in: folder)
        let secret = try #require(
            try JSON(parsing: String(contentsOfFile: key.backend, encoding: .utf8))["keys"]?.arrayValue?[0]["k"]?
                .stringValue)
        let short = try folder.file("short.json", #"{"keys":[{"kty":"oct","kid":"s","k":"c2hvcnQ"}]}"#)
        let order = ["--merchant-reference", "ORDER-1001", "--amount", "1", "--currency", "AED"]
        for arguments in [["--key", short], ["--key", key.backend, "--kid", "x"], ["--key", "/no/such"]] {
            let (status, text) = try await RunningProgram.run(["order-token", "sign"] + arguments + order)
            #expect(status == 65 && !text.contains("c2hvcnQ") && !text.contains(secret), "\(text)")
        }
        let other = try await OrderTokenKeyFiles(named: "k2", in: folder).backend
        let verdict = try await run("verify", "a.b.c", "--keys", other)
        #expect(verdict.status == 65 && verdict.text.contains("holds a private key"))
    }

    @Test("A hostile token cannot steer the terminal that shows it")
    func aTerminalIsNotSteered() async throws {
        let issuer = TokenIssuer()
        let keys = try issuer.file(in: folder)
        let token = try issuer.orderToken(
            "ORDER-1001", claims: ["merchant_extra": "a\u{1B}[2Jb\u{202E}c\u{9B}", "\u{1B}]0;x\u{7}": "\u{2028}"])
        let verdict = try await run("verify", "-", "--keys", keys, input: "\(token)\n")
        let steering = verdict.text.unicodeScalars.filter {
            $0 != "\n" && ($0.value < 0x20 || "\u{202E}\u{9B}\u{2028}".unicodeScalars.contains($0))
        }
        #expect(steering.isEmpty && verdict.text.contains(#"a\u001b[2Jb\u202ec\u009b"#), "\(verdict.text)")
    }
}
