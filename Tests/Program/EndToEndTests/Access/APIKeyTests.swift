import Foundation
import OutboundHTTP
import PayrelayPrimitives
import TestPrograms
import Testing

/// Authentication and authorization by API keys.
@Suite struct APIKeyTests {
    @Test func onlyAKnownKeyAuthenticates() async throws {
        let known = try await GeneratedKey("shop")
        let stranger = try await GeneratedKey("shop")
        let relay = try await RunningRelay(["PAYRELAY_API_KEYS": known.line])
        let order = try Orders.body()
        let refused: [(value: String?, error: String?)] = [
            (nil, nil), ("Bearer", "invalid_request"), ("Basic \(known.key)", "invalid_request"),
            ("Bearer \(known.key) \(known.key)", "invalid_request"), ("Bearer \(stranger.key)", "invalid_token"),
            ("Bearer \(known.key)x", "invalid_token"), ("Bearer a.b.c", "invalid_token"),
            ("Bearer \(known.line.split(separator: " ")[2])", "invalid_token"),
        ]
        for (value, error) in refused {
            let headers = value.map { [(name: "Authorization", value: $0)] } ?? []
            let answer = try await relay.post("/v1/payments", order.json.encoded(), headers: headers)
            #expect(answer.status == 401 && answer.problem == "not-authenticated", "\(value ?? "nothing")")
            let challenge = try #require(answer.header("WWW-Authenticate"))
            #expect(challenge == #"Bearer realm="payrelay""# + (error.map { #", error="\#($0)""# } ?? ""))
            #expect(!String(decoding: answer.body, as: UTF8.self).contains(known.key))
        }
        let twice = bearer(known.key) + bearer(known.key)
        #expect(try await relay.post("/v1/payments", order.json.encoded(), headers: twice).status == 401)
        #expect(try await relay.sandbox.books().isEmpty)
        #expect(try await relay.pay(order.json, bearing: known.key).outcome == "captured")
        #expect(!relay.program.text.contains(known.key) && !relay.program.text.contains(stranger.key))
    }

    /// Proxies and browsers write URLs to logs and histories.
    @Test("S10: a credential in a URL is not accepted and not logged")
    func aCredentialInAURLIsNotAccepted() async throws {
        let key = try await GeneratedKey("shop")
        let relay = try await RunningRelay(["PAYRELAY_API_KEYS": key.line, "PAYRELAY_LOG_LEVEL": "trace"])
        for name in ["access_token", "api_key", "key", "authorization"] {
            #expect(try await relay.get("/v1/payments/none?\(name)=\(key.key)").status == 401)
        }
        #expect(try await relay.get("/v1/payments/none", headers: bearer(key.key)).status == 404)
        #expect(!relay.program.text.contains(key.key))
    }

    @Test func everyRouteRequiresItsScope() async throws {
        let key = try await GeneratedKey("shop", "tokens:verify")
        let relay = try await RunningRelay(["PAYRELAY_API_KEYS": key.line])
        let routes = [
            ("POST", "/v1/payments", "payments:create"), ("GET", "/v1/payments/A", "payments:read"),
            ("GET", "/v1/payments/A/events", "payments:read"),
            ("POST", "/v1/payments/A/sync", "payments:manage"), ("POST", "/v1/payments/A/capture", "payments:manage"),
            ("POST", "/v1/payments/A/void", "payments:manage"), ("POST", "/v1/payments/A/refund", "payments:manage"),
            ("POST", "/v1/sdk-tokens", "sdk-tokens:create"), ("GET", "/v1/settlement", "settlement:read"),
            ("POST", "/v1/sdk-tokens", "sdk-tokens:create"),
            ("POST", "/v1/recurring-payments", "recurring-payments:create"),
            ("POST", "/v1/apple-pay/sessions", "sessions:create"),
        ]
        for (method, path, scope) in routes {
            let answer =
                method == "GET"
                ? try await relay.get(path, headers: bearer(key.key))
                : try await relay.post(path, Array("{}".utf8), headers: bearer(key.key))
            #expect(answer.status == 403 && answer.problem == "not-permitted", "\(path)")
            #expect(answer.json?["detail"]?.stringValue?.contains(scope) == true)
            #expect(answer.header("WWW-Authenticate")?.contains(#"scope="\#(scope)""#) == true)
            let anonymous = method == "GET" ? try await relay.get(path) : try await relay.post(path, Array("{}".utf8))
            #expect(anonymous.status == 401)
        }
        let token = try Orders.token().encoded()
        #expect(try await relay.post("/v1/tokens/verify", token, headers: bearer(key.key)).status == 200)
        #expect(try await relay.post("/v1/tokens/verify", token).status == 401)
        // Feedback is authenticated by its signature, which is missing here.
        let feedback = try await relay.post("/v1/feedback/direct", Array("{}".utf8))
        #expect(feedback.problem != "not-authenticated" && feedback.status != 404)
        #expect(try await relay.get("/nowhere").status == 404)
    }

    @Test("S7: another client's payment is answered with 404")
    func aClientSeesOnlyItsOwnPayments() async throws {
        let (shop, bank) = (try await GeneratedKey("shop"), try await GeneratedKey("bank"))
        let relay = try await RunningRelay(["PAYRELAY_API_KEYS": "\(shop.line); \(bank.line)"])
        let order = try Orders.body()
        let reference = try #require(order["merchant_reference"]?.stringValue)
        let path = "/v1/payments/\(reference)"
        #expect(try await relay.pay(order.json, bearing: shop.key, idempotencyKey: "k").outcome == "captured")

        let unknown = try await relay.get("/v1/payments/nobody", headers: bearer(bank.key))
        let shops = try await relay.get(path, headers: bearer(bank.key))
        #expect(shops.status == 404 && shops.body == unknown.body)
        for verb in ["sync", "capture", "void", "refund"] {
            let answer = try await relay.post("\(path)/\(verb)", Array("{}".utf8), headers: bearer(bank.key))
            #expect(answer.status == 404 && answer.body == unknown.body, "\(verb)")
        }
        // The reference is FORT's name for the order, so it exists only once. Another client learns nothing more about the
        // payment.
        let same = try await relay.pay(order.json, bearing: bank.key)
        #expect(same.status == 422 && same.problem == "reference-taken")
        let other = try await relay.pay(try Orders.body(reference).json, bearing: bank.key)
        #expect(other.body == same.body && other.header("Idempotent-Replayed") == nil)
        #expect(try await relay.pay(try Orders.body().json, bearing: bank.key, idempotencyKey: "k").status == 200)

        #expect(try await relay.get(path, headers: bearer(shop.key)).outcome == "captured")
        #expect(try await relay.pay(order.json, bearing: shop.key, idempotencyKey: "k").status == 200)
        #expect(try await relay.sandbox.charges(of: reference) == 1)
        // The log line may be written after the answer.
        var payments: [JSON] = []
        try await relay.program.wait(for: "the payments' lines") {
            payments = relay.program.lines.compactMap { try? JSON(parsing: Array($0.utf8)) }
                .filter { $0["message"] == "payment" }
            return payments.count >= 2
        }
        #expect(payments.map { $0["client"] } == ["shop", "bank"])
    }

    @Test("S11: two API keys are valid during rotation")
    func duringRotationBothKeysAreValid() async throws {
        let folder = try TemporaryFolder()
        let (old, new) = (try await GeneratedKey("shop"), try await GeneratedKey("shop"))
        let file = try folder.file("api-keys", "# until May\n\(old.line)\n\n\(new.line)\n")
        let relay = try await RunningRelay(["PAYRELAY_API_KEYS_FILE": file])
        let order = try Orders.body()
        let reference = try #require(order["merchant_reference"]?.stringValue)
        #expect(try await relay.pay(order.json, bearing: old.key).status == 200)
        #expect(try await relay.get("/v1/payments/\(reference)", headers: bearer(new.key)).status == 200)
    }

    @Test func onSIGHUPTheKeysAreReloadedAndABadFileChangesNothing() async throws {
        let folder = try TemporaryFolder()
        let (old, new) = (try await GeneratedKey("shop"), try await GeneratedKey("shop"))
        let (oldIssuer, newIssuer) = (TokenIssuer("old"), TokenIssuer("new"))
        let keys = try folder.file("api-keys", old.line)
        let jwtKeys = try folder.file("jwt-keys", TokenIssuer.text([oldIssuer]))
        let relay = try await RunningRelay(["PAYRELAY_API_KEYS_FILE": keys, "PAYRELAY_JWT_KEYS_FILE": jwtKeys])
        func statuses() async throws -> [Int] {
            let scope: JSONObject = ["scope": "payments:read"]
            let credentials = [old.key, new.key, try oldIssuer.token(scope), try newIssuer.token(scope)]
            var statuses: [Int] = []
            for credential in credentials {
                statuses.append(try await relay.get("/v1/payments/none", headers: bearer(credential)).status)
            }
            return statuses
        }
        func reload(_ keysText: String, _ jwtKeysText: String, until what: String) async throws {
            _ = try folder.file("api-keys", keysText)
            _ = try folder.file("jwt-keys", jwtKeysText)
            relay.program.signal(SIGHUP)
            try await relay.program.wait(toPrint: what)
        }
        #expect(try await statuses() == [404, 401, 404, 401])
        try await reload(
            "\(new.line)\nshop nothing \(old.key)", "{}",
            until: "API and JWT keys not reloaded; the previous version stays in use")
        #expect(try await statuses() == [404, 401, 404, 401])
        for fault in ["PAYRELAY_API_KEYS cannot be used: line 2", "PAYRELAY_JWT_KEYS_FILE cannot be used"] {
            try await relay.program.wait(toPrint: fault)
        }
        try await reload(
            new.line, TokenIssuer.text([newIssuer]), until: #""api_keys":"1","jwt_keys":"1""#)
        #expect(try await statuses() == [401, 404, 401, 404])
        #expect(!relay.program.text.contains(old.key))
    }

    @Test func withKeysTheRelayMayListenAnywhere() async throws {
        let key = try await GeneratedKey("shop")
        let relay = try await RunningRelay(["PAYRELAY_API_KEYS": key.line, "PAYRELAY_HTTP_HOST": "0.0.0.0"])
        #expect(try await relay.get("/v1/payments/A").status == 401)
        try await relay.program.wait(toPrint: "clear text")
    }

    @Test func withoutKeysTheRelayListensOnLoopbackAndLogsIt() async throws {
        let relay = try await RunningRelay()
        try await relay.program.wait(toPrint: "no authentication configured")
        #expect(try await relay.get("/v1/payments/A").status == 404)
    }

    /// A configured key file without keys must not disable authentication.
    @Test(arguments: ["", "\n", "# none\n", "shop payments:create short"])
    func aKeyFileWithoutAKeyStopsTheStart(text: String) async throws {
        let folder = try TemporaryFolder()
        let (status, output) = try await RunningRelay.start(refusing: [
            "PAYRELAY_API_KEYS_FILE": try folder.file("api-keys", text)
        ])
        #expect(status == 78)
        #expect(output.contains("PAYRELAY_API_KEYS"))
    }
}
